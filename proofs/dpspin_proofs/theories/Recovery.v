(* Proposition A.3: an error of at most tau in every coordinate moves the highest positions by little, in integers.

   mass_at recovery_swap        the mass of a set of positions, and what one exchanged pair can lose
   dropped_length               how many atoms can be exchanged at most: min(L, m - L)
   highest_loss_sharp           the exact mass of the noisy choice is at most 2 tau min(L, m - L) below the best
   highest_loss                 the exact mass of the noisy choice is at most 2 L tau below that of the exact one
   highest_recovery             with a gap of more than 2 tau the two choices are the same set *)
From Coq Require Import ZArith List Bool Lia Permutation.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records.
Import ListNotations.
Open Scope Z_scope.

Definition mass_at (v S : list Z) := py_sum (map (py_index v) S).
Definition inside (S : list Z) (a : Z) : bool := py_in a S.
Definition outside (S : list Z) (a : Z) : bool := negb (py_in a S).
Lemma outside_true S a : outside S a = true <-> ~ In a S.
Proof. unfold outside. rewrite negb_true_iff, <- not_true_iff_false, in_true. tauto. Qed.
Lemma split_perm S (l : list Z) : Permutation l (filter (inside S) l ++ filter (outside S) l).
Proof.
  unfold inside, outside. induction l as [|a l IH]; simpl; auto. destruct (py_in a S); simpl.
  - apply perm_skip, IH.
  - eapply perm_trans; [apply perm_skip, IH|]. apply Permutation_middle.
Qed.
Lemma mass_split v S l : mass_at v l = mass_at v (filter (inside S) l) + mass_at v (filter (outside S) l).
Proof. unfold mass_at. rewrite <- sum_app, <- map_app. apply sum_perm, Permutation_map, split_perm. Qed.
Lemma common_perm S T : NoDup S -> NoDup T -> Permutation (filter (inside T) S) (filter (inside S) T).
Proof.
  intros. apply NoDup_Permutation; try (apply NoDup_filter; auto).
  intros x. unfold inside. rewrite !filter_In, !in_true. tauto.
Qed.
Lemma pair_bound v c : forall X Y, length X = length Y ->
  (forall a b, In a X -> In b Y -> py_index v a <= py_index v b + c) -> mass_at v X <= mass_at v Y + py_len X * c.
Proof.
  unfold mass_at, py_sum, py_len. induction X as [|a X IH]; intros [|b Y] L H; try discriminate L; cbn [length map
    fold_right]; [lia|].
  injection L as L. assert (K := IH Y L (fun x y I J => H x y (or_intror I) (or_intror J))).
  assert (Q := H a b (or_introl eq_refl) (or_introl eq_refl)). rewrite Nat2Z.inj_succ. lia.
Qed.

Section Recovery.
Variables (v v' : list Z) (L tau : Z).
Hypothesis HL : 0 <= L.
Hypothesis same : py_len v' = py_len v.
Hypothesis err : forall p, 0 <= p < py_len v -> Z.abs (py_index v' p - py_index v p) <= tau.
Let S := highest v L.
Let T := highest v' L.

Lemma range_S a : In a S -> 0 <= a < py_len v.
Proof. apply highest_range; auto. Qed.
Lemma range_T a : In a T -> 0 <= a < py_len v.
Proof. rewrite <- same. apply highest_range; auto. Qed.
Lemma same_length : length S = length T.
Proof. assert (A := highest_length v L HL). assert (B := highest_length v' L HL). unfold S, T, py_len in *. lia. Qed.
Lemma recovery_swap a b : In a S -> ~ In a T -> In b T -> py_index v a <= py_index v b + 2 * tau.
Proof.
  intros A N B. assert (RA := range_S a A). assert (RB := range_T b B).
  assert (O := highest_outranks v' L HL b a B ltac:(lia) N). unfold outranks in O.
  assert (EA := err a RA). assert (EB := err b RB). lia.
Qed.

Lemma dropped_length : py_len (filter (outside T) S) <= Z.min L (Z.max 0 (py_len v - L)).
Proof.
  assert (NS := highest_nodup v L HL : NoDup S). assert (NT := highest_nodup v' L HL : NoDup T).
  assert (LS := Permutation_length (split_perm T S)). rewrite app_length in LS.
  assert (R := Permutation_length (split_perm T (py_range (py_len v)))). rewrite app_length, range_length in R.
  assert (A : (length (filter (outside T) S) <= length (filter (outside T) (py_range (py_len v))))%nat).
  { apply NoDup_incl_length. apply NoDup_filter; auto. intros a I. apply filter_In in I. apply filter_In.
    split; [|tauto]. apply range_in, range_S. tauto. }
  assert (B : (length T <= length (filter (inside T) (py_range (py_len v))))%nat).
  { apply NoDup_incl_length; auto. intros a I. apply filter_In. split. apply range_in, range_T; auto.
    apply in_true; auto. }
  assert (H := highest_length v L HL). assert (H' := highest_length v' L HL). fold S in H. fold T in H'.
  rewrite same in H'. unfold py_len in *. lia.
Qed.

Theorem highest_loss_sharp : 0 <= tau -> mass_at v S - mass_at v T <= 2 * tau * Z.min L (Z.max 0 (py_len v - L)).
Proof.
  intros Ht. assert (NS := highest_nodup v L HL : NoDup S). assert (NT := highest_nodup v' L HL : NoDup T).
  assert (C := common_perm S T NS NT). rewrite (mass_split v T S), (mass_split v S T).
  replace (mass_at v (filter (inside T) S)) with (mass_at v (filter (inside S) T))
    by (symmetry; apply sum_perm, Permutation_map, C).
  assert (LS := Permutation_length (split_perm T S)). assert (LT := Permutation_length (split_perm S T)).
  assert (LC := Permutation_length C). assert (LL := same_length). rewrite app_length in LS, LT.
  assert (K : mass_at v (filter (outside T) S) <= mass_at v (filter (outside S) T) + py_len (filter (outside T) S) * (2
    * tau)).
  { apply pair_bound. lia. intros a b A B. apply filter_In in A; apply filter_In in B. rewrite outside_true in A, B.
    apply recovery_swap; tauto. }
  assert (D := dropped_length). nia.
Qed.
Theorem highest_loss : 0 <= tau -> mass_at v S - mass_at v T <= 2 * L * tau.
Proof. intros Ht. assert (K := highest_loss_sharp Ht). nia. Qed.
Theorem highest_recovery :
  (forall a b, In a S -> 0 <= b < py_len v -> ~ In b S -> py_index v a - py_index v b > 2 * tau) ->
  forall p, In p S <-> In p T.
Proof.
  intros G. assert (NS := highest_nodup v L HL : NoDup S). assert (LL := same_length).
  assert (Sub : incl T S).
  { intros b B. destruct (in_dec Z.eq_dec b S) as [|N]; auto. exfalso.
    assert (D : incl S T \/ exists a, In a S /\ ~ In a T).
    { clearbody S T. clear. induction S as [|a l [H|(c & Hc & Hn)]].
      - left; intros x [].
      - destruct (in_dec Z.eq_dec a T). left. intros x [<-|Hx]; auto. right; exists a; split; auto; left; auto.
      - right; exists c; split; auto. right; auto. }
    destruct D as [D|(a & A & NA)].
    - apply N. eapply NoDup_length_incl; [exact NS| |exact D|exact B]. lia.
    - assert (Q := recovery_swap a b A NA B). specialize (G a b A (range_T b B) N). lia. }
  intros p; split; [|apply Sub]. eapply NoDup_length_incl; [apply (highest_nodup v' L HL)| |exact Sub]. fold T. lia.
Qed.
End Recovery.
