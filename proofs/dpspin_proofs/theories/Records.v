(* One record, one protected unit: highest, shrink, contribution and clip, for all inputs.

   highest_*         length, no repetition, range, order, the tie rule, and that these determine the set
   shrink_*          total at most the bound, and what rounding loses
   contribution_*    length, sign, total, number of atoms, the share of every atom, what rounding loses
   clip_*            length, sign, total, identity below the bound, idempotence, loss
   *_never_raises    no input makes Python raise *)
From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From DPSPIN Require Import PySem Vectors PyFacts Kernel.
Import ListNotations.
Open Scope Z_scope.

(* ---- highest ---- *)
Definition outranks (v : list Z) (a b : Z) : Prop :=
  py_index v b < py_index v a \/ (py_index v b = py_index v a /\ a < b).

Lemma key_outranks v a b :
  py_le [- py_index v a; a] [- py_index v b; b] = true <-> outranks v a b \/ a = b.
Proof.
  unfold outranks; simpl. rewrite !orb_true_iff, !andb_true_iff, orb_true_iff, andb_true_iff, !Z.ltb_lt, !Z.eqb_eq.
  split; [intros [H|[H [K|[K _]]]]|intros [[H|[H K]]|E]; subst]; lia.
Qed.

Section Highest.
Variables (v : list Z) (n : Z).
Hypothesis Hn : 0 <= n.
Let order := py_sorted (fun p => [- py_index v p; p]) (py_range (py_len v)).
Lemma highest_eq : highest v n = firstn (Z.to_nat n) order.
Proof. unfold highest, py_upto, py_end. destruct (Z.ltb_spec n 0); [lia|reflexivity]. Qed.
Lemma order_perm : Permutation (py_range (py_len v)) order.
Proof. apply sorted_perm. Qed.

Theorem highest_length : py_len (highest v n) = Z.min n (py_len v).
Proof.
  rewrite highest_eq. unfold py_len at 1. rewrite firstn_length, <- (Permutation_length order_perm), range_length.
  unfold py_len. lia.
Qed.
Theorem highest_nodup : NoDup (highest v n).
Proof.
  rewrite highest_eq. assert (N : NoDup order) by (eapply Permutation_NoDup; [apply order_perm|apply range_nodup]).
  rewrite <- (firstn_skipn (Z.to_nat n) order) in N. revert N. generalize (firstn (Z.to_nat n) order) as a.
  induction a as [|x a IH]; simpl; intros N; constructor; inversion N; subst; auto.
  intros I. apply H1, in_app_iff; auto.
Qed.
Theorem highest_range p : In p (highest v n) -> 0 <= p < py_len v.
Proof.
  rewrite highest_eq. intros I. apply range_in. apply (Permutation_in _ (Permutation_sym order_perm)).
  rewrite <- (firstn_skipn (Z.to_nat n) order). apply in_app_iff; auto.
Qed.
(* every position kept outranks every position left out: the deterministic tie rule *)
Theorem highest_outranks a b : In a (highest v n) -> 0 <= b < py_len v -> ~ In b (highest v n) -> outranks v a b.
Proof.
  rewrite highest_eq. intros I R N. apply range_in in R. apply (Permutation_in _ order_perm) in R.
  rewrite <- (firstn_skipn (Z.to_nat n) order) in R. apply in_app_iff in R. destruct R as [R|R]; [contradiction|].
  assert (K : py_le [- py_index v a; a] [- py_index v b; b] = true).
  { eapply (sorted_app (fun p => [- py_index v p; p]) order); [| |exact I|exact R].
    rewrite firstn_skipn. apply sorted_sorted. symmetry; apply firstn_skipn. }
  apply key_outranks in K. destruct K as [K|K]; auto. subst; contradiction.
Qed.
Theorem highest_ordered : StronglySorted (outranks v) (highest v n).
Proof.
  assert (N := highest_nodup). rewrite highest_eq in *. assert (S := sorted_sorted (fun p => [- py_index v p; p])
    (py_range (py_len v))).
  fold order in S. revert N S. generalize (Z.to_nat n) as k. induction order as [|a l IH]; intros [|k] N S; simpl in *;
    constructor.
  - inversion N; inversion S; subst. apply IH; auto.
  - inversion N; inversion S; subst. rewrite Forall_forall in *. intros b B.
    assert (I : In b l) by (rewrite <- (firstn_skipn k l); apply in_app_iff; auto).
    destruct (proj1 (key_outranks v a b)) as [K|K]; auto. apply H6, I. subst; contradiction.
Qed.
End Highest.

(* the set is determined by the values: any set with these properties is this one *)
Theorem highest_unique v n S : 0 <= n -> NoDup S -> (forall p, In p S -> 0 <= p < py_len v) -> py_len S = Z.min n
  (py_len v) ->
  (forall a b, In a S -> 0 <= b < py_len v -> ~ In b S -> outranks v a b) -> forall p, In p S <-> In p (highest v n).
Proof.
  intros Hn NS RS LS OS. assert (NT := highest_nodup v n Hn). assert (LT := highest_length v n Hn).
  assert (LE : length S = length (highest v n)) by (unfold py_len in *; lia).
  assert (Sub : incl S (highest v n)).
  { intros a A. destruct (in_dec Z.eq_dec a (highest v n)) as [|N]; auto. exfalso.
    assert (D : incl (highest v n) S \/ exists b, In b (highest v n) /\ ~ In b S).
    { generalize (highest v n) as T. clear. induction T as [|b T [H|(c & Hc & Hn)]].
      - left; intros x [].
      - destruct (in_dec Z.eq_dec b S). left. intros x [<-|Hx]; auto. right; exists b; split; auto; left; auto.
      - right; exists c; split; auto. right; auto. }
    destruct D as [D|(b & B & NB)].
    - apply N. eapply NoDup_length_incl; [exact NT| |exact D|exact A]. lia.
    - assert (O1 := OS a b A (highest_range v n Hn b B) NB).
      assert (O2 := highest_outranks v n Hn b a B (RS a A) N). unfold outranks in *. lia. }
  intros p; split; [apply Sub|]. eapply NoDup_length_incl; [exact NS| |exact Sub]. lia.
Qed.

Theorem highest_never_raises v n : highest_safe v n = true.
Proof.
  unfold highest_safe. apply forallb_forall. intros p I. apply range_in in I.
  unfold py_index_safe. apply andb_true_iff; split; [apply Z.leb_le|apply Z.ltb_lt]; lia.
Qed.

(* ---- shrink ---- *)
Lemma sum_zsum v : py_sum v = zsum v. Proof. reflexivity. Qed.
Lemma shrink_eq v b : shrink v b = map (fun x => x * b / Z.max (zsum v) 1) v. Proof. reflexivity. Qed.
Lemma shrink_nonneg v b : 0 <= b -> nonneg v -> nonneg (shrink v b).
Proof.
  unfold shrink, nonneg. rewrite !Forall_forall. intros Hb H y I. apply in_map_iff in I.
  destruct I as (x & <- & I). apply Z.div_pos; [|lia]. specialize (H x I). nia.
Qed.
Theorem shrink_bound v b : 0 <= b -> nonneg v -> py_sum (shrink v b) <= b.
Proof.
  intros Hb H. rewrite sum_zsum, shrink_eq. set (t := Z.max (zsum v) 1).
  assert (T : 0 < t) by lia. assert (K := floor_sum_le v b t T).
  assert (V : zsum v <= t) by lia. clearbody t. set (w := zsum (map _ v)) in *.
  apply (Z.mul_le_mono_pos_r w b t); auto. nia.
Qed.
Theorem shrink_loss v b : nonneg v -> 0 < py_sum v -> b - py_len v <= py_sum (shrink v b).
Proof.
  intros H L. unfold py_len. rewrite shrink_eq. rewrite !sum_zsum in *. set (t := Z.max (zsum v) 1).
  assert (T : 0 < t) by lia.
  assert (G : forall w, zsum w * b - Z.of_nat (length w) * t <= zsum (map (fun x => x * b / t) w) * t).
  { unfold zsum; induction w as [|a w IH]; cbn [map fold_right length]. lia.
    rewrite Nat2Z.inj_succ. assert (K := floor_error b a t T). nia. }
  specialize (G v). assert (0 <= zsum v) by (apply zsum_nonneg; auto). nia.
Qed.
Theorem shrink_never_raises v b : shrink_safe v b = true.
Proof. unfold shrink_safe. apply forallb_forall. intros. apply negb_true_iff, Z.eqb_neq. lia. Qed.

(* ---- contribution ---- *)
Section Contribution.
Variables (scores : list Z) (K unit : Z).
Hypothesis HK : 0 <= K.
Hypothesis Hu : 0 <= unit.
Let kept := highest scores K.
Let weights := map (fun '(atom, score) => if py_in atom kept then Z.max score 0 else 0) (py_enumerate scores).
Lemma weights_nonneg : nonneg weights.
Proof. unfold nonneg. apply Forall_forall. intros y I. apply in_map_iff in I. destruct I as ((a & s) & <- & _).
  destruct (py_in a kept); lia. Qed.

Theorem contribution_length : length (contribution scores K unit) = length scores.
Proof. unfold contribution, shrink. rewrite !map_length, enum_length; auto. Qed.
Theorem contribution_nonneg : nonneg (contribution scores K unit).
Proof. apply shrink_nonneg; auto. apply weights_nonneg. Qed.
Theorem contribution_bound : py_sum (contribution scores K unit) <= unit.
Proof. apply shrink_bound; auto. apply weights_nonneg. Qed.

Definition nonzeros (v : list Z) : Z := py_len (filter (fun x => negb (x =? 0)) v).
Theorem contribution_sparse : nonzeros (contribution scores K unit) <= K.
Proof.
  unfold nonzeros, contribution, shrink. fold kept. rewrite map_map.
  set (t := Z.max _ 1). set (f := fun x : Z * Z => _).
  assert (Z0 : forall e, negb (f e =? 0) = true -> py_in (fst e) kept = true).
  { intros (a & s) H. unfold f in H. cbn [fst]. destruct (py_in a kept) eqn:E; auto. }
  apply Z.le_trans with (py_len kept); [|unfold kept; rewrite highest_length; lia].
  apply Z.le_trans with (py_len (filter (fun a => py_in a kept) (map fst (py_enumerate scores)))).
  - unfold py_len. apply Nat2Z.inj_le. clearbody f. clear -Z0. induction (py_enumerate scores) as [|e l IH]; simpl;
    auto.
    destruct (negb (f e =? 0)) eqn:E.
    + rewrite (Z0 e E). simpl. lia.
    + destruct (py_in (fst e) kept); simpl; lia.
  - rewrite enum_fst. unfold py_len. apply Nat2Z.inj_le. apply NoDup_incl_length.
    + apply NoDup_filter, range_nodup.
    + intros a I. apply filter_In in I. apply in_true. tauto.
Qed.
(* Equation 1: kept positive scores, in proportion, each rounded down *)
Theorem contribution_share j : (j < length scores)%nat -> coord (contribution scores K unit) j =
  if py_in (Z.of_nat j) kept then Z.max (coord scores j) 0 * unit / Z.max (py_sum weights) 1 else 0.
Proof.
  intros L. change (contribution scores K unit) with (map (fun x => x * unit / Z.max (py_sum weights) 1) weights).
  set (t := Z.max _ 1). clearbody t. unfold coord, weights. rewrite map_map. set (f := fun x : Z * Z => _).
  assert (F0 : f (0, 0) = 0) by (unfold f; destruct (py_in 0 kept); reflexivity).
  rewrite <- F0 at 1. rewrite (map_nth f). set (e := nth j (py_enumerate scores) (0, 0)).
  assert (E1 : fst e = Z.of_nat j).
  { unfold e. rewrite <- (map_nth fst), enum_fst. cbn [fst]. apply range_nth. unfold py_len. lia. }
  assert (E2 : snd e = nth j scores 0).
  { unfold e. rewrite <- (map_nth snd), enum_snd. reflexivity. }
  destruct e as (a & s). cbn [fst snd] in *. subst a s. unfold f. destruct (py_in (Z.of_nat j) kept); reflexivity.
Qed.
(* only the kept atoms get mass, and only if their score is positive *)
Theorem contribution_support j : (j < length scores)%nat -> coord (contribution scores K unit) j <> 0 ->
  In (Z.of_nat j) kept /\ 0 < coord scores j.
Proof.
  intros L. rewrite contribution_share by auto. destruct (py_in (Z.of_nat j) kept) eqn:E; [|contradiction].
  intros H. split. apply in_true; auto. destruct (Z.lt_ge_cases 0 (coord scores j)); auto.
  exfalso; apply H. rewrite Z.max_r by lia. reflexivity.
Qed.
Theorem contribution_loss : 0 < py_sum weights -> unit - py_len scores <= py_sum (contribution scores K unit).
Proof.
  intros H. assert (G := shrink_loss weights unit weights_nonneg H). unfold weights, py_len in *.
  rewrite map_length, enum_length in G. exact G.
Qed.
Theorem contribution_zero : Forall (fun s => s <= 0) scores -> Forall (fun x => x = 0) (contribution scores K unit).
Proof.
  intros F. rewrite Forall_forall in *. intros x I. apply (In_nth _ _ 0) in I. destruct I as (j & L & <-).
  rewrite contribution_length in L. destruct (Z.eq_dec (nth j (contribution scores K unit) 0) 0) as [|N]; auto.
  destruct (contribution_support j L N) as (_ & P). unfold coord in P. specialize (F _ (nth_In scores 0 L)). lia.
Qed.
End Contribution.
Theorem contribution_never_raises s K u : contribution_safe s K u = true.
Proof. unfold contribution_safe. rewrite highest_never_raises; apply shrink_never_raises. Qed.

(* ---- clip ---- *)
Definition positive (v : list Z) := map (fun x => Z.max x 0) v.
Lemma positive_nonneg v : nonneg (positive v).
Proof. unfold nonneg, positive. apply Forall_forall. intros y I. apply in_map_iff in I. destruct I as (x & <- & _); lia.
  Qed.
Lemma positive_id v : nonneg v -> positive v = v.
Proof. unfold positive; induction 1; simpl; f_equal; auto; lia. Qed.
Lemma clip_eq v b : clip v b = if py_sum (positive v) <=? b then positive v else shrink (positive v) b.
Proof. reflexivity. Qed.

Theorem clip_length v b : length (clip v b) = length v.
Proof. rewrite clip_eq. unfold shrink, positive. destruct (_ <=? _); rewrite ?map_length; auto. Qed.
Theorem clip_nonneg v b : 0 <= b -> nonneg (clip v b).
Proof. intros. rewrite clip_eq. destruct (_ <=? _); auto using positive_nonneg, shrink_nonneg. Qed.
Theorem clip_bound v b : 0 <= b -> py_sum (clip v b) <= b.
Proof. intros. rewrite clip_eq. destruct (Z.leb_spec (py_sum (positive v)) b); auto. apply shrink_bound; auto using
  positive_nonneg. Qed.
Theorem clip_identity v b : nonneg v -> py_sum v <= b -> clip v b = v.
Proof. intros P H. rewrite clip_eq, positive_id by auto. apply Z.leb_le in H. rewrite H; auto. Qed.
Theorem clip_idempotent v b : 0 <= b -> clip (clip v b) b = clip v b.
Proof. intros. apply clip_identity; auto using clip_nonneg, clip_bound. Qed.
Theorem clip_loss v b : 0 <= b -> b <= py_sum (positive v) -> b - py_len v <= py_sum (clip v b).
Proof.
  intros Hb H. rewrite clip_eq. destruct (Z.leb_spec (py_sum (positive v)) b). unfold py_len; lia.
  assert (K := shrink_loss (positive v) b (positive_nonneg v) ltac:(lia)). unfold py_len, positive in *. rewrite
    map_length in K. exact K.
Qed.
Theorem clip_never_raises v b : clip_safe v b = true.
Proof. unfold clip_safe. destruct (_ <=? _); auto. apply shrink_never_raises. Qed.
(* a record's contribution passes through clip unchanged when the bound is at least its unit *)
Corollary clip_contribution s K u b : 0 <= K -> 0 <= u <= b -> clip (contribution s K u) b = contribution s K u.
Proof. intros. apply clip_identity. apply contribution_nonneg; lia. assert (C := contribution_bound s K u ltac:(lia)).
  lia. Qed.
