(* Admission by peeling: rounds of the exponential mechanism without replacement, and what they cost alone.

   weight chance chance_law                 one round picks atom a with probability proportional to exp (eta C a)
   peel peel_law peel_support               L rounds: a law on ordered sets of L distinct atoms
   peel_tilt                                the ratio of two scores' laws, of which every bound below is an instance
   selection_cost admission_record *_user   L eta B under add/drop, (L + 1) eta B under replacement
   admission_gain                           eta B only, whatever L, in the direction that adds the unit *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPSPIN Require Import PySem Vectors Kernel Records Sketch Users Neighbours Probability.
Import ListNotations.
Open Scope R_scope.

(* ---- one round ---- *)
Definition weight (eta : R) (q : nat -> R) (a : nat) : R := exp (eta * q a).
Definition chance (eta : R) (q : nat -> R) (U : list nat) (a : nat) : R :=
  if in_dec Nat.eq_dec a U then weight eta q a / lsum U (weight eta q) else 0.
Lemma weight_pos eta q a : 0 < weight eta q a.
Proof. apply exp_pos. Qed.
Lemma total_pos eta q U a : In a U -> 0 < lsum U (weight eta q).
Proof.
  intros I. apply Rlt_le_trans with (lsum [a] (weight eta q)). simpl. assert (K := weight_pos eta q a). lra.
  apply lsum_incl; auto. intros; left; apply weight_pos. constructor; [intros []|constructor].
  intros x [<-|[]] _; auto.
Qed.
Lemma chance_nonneg eta q U a : 0 <= chance eta q U a.
Proof.
  unfold chance. destruct (in_dec Nat.eq_dec a U) as [I|]; [|lra]. left.
  apply Rdiv_lt_0_compat. apply weight_pos. apply total_pos with a; auto.
Qed.
Lemma chance_law eta q U : NoDup U -> U <> [] -> law (chance eta q U).
Proof.
  intros N NE. apply law_finite with U; auto using chance_nonneg.
  - intros a H. unfold chance in H. destruct (in_dec Nat.eq_dec a U); auto. lra.
  - destruct U as [|u U0]; [congruence|]. set (U := u :: U0) in *.
    assert (P := total_pos eta q U u (or_introl eq_refl)).
    rewrite (lsum_ext U _ (fun a => / lsum U (weight eta q) * weight eta q a)).
    + rewrite lsum_scal. field; lra.
    + intros a I. unfold chance. destruct (in_dec Nat.eq_dec a U); [unfold Rdiv; ring|contradiction].
Qed.

(* ---- L rounds ---- *)
Notation without := (remove Nat.eq_dec).
Fixpoint peel (eta : R) (q : nat -> R) (L : nat) (U T : list nat) : R :=
  match L, T with
  | O, [] => 1
  | S k, a :: t => chance eta q U a * peel eta q k (without a U) t
  | _, _ => 0
  end.
Lemma without_nodup a U : NoDup U -> NoDup (without a U).
Proof.
  induction 1 as [|b U NI N IH]; simpl. constructor. destruct (Nat.eq_dec a b); auto. constructor; auto.
  intros I. apply in_remove in I. tauto.
Qed.
Lemma without_length a U : NoDup U -> (length U <= S (length (without a U)))%nat.
Proof.
  induction 1 as [|b U NI N IH]; simpl; auto. destruct (Nat.eq_dec a b) as [->|]; simpl; [|lia].
  rewrite notin_remove by auto. lia.
Qed.
Lemma peel_nonneg eta q L : forall U T, 0 <= peel eta q L U T.
Proof. induction L; destruct T; simpl; try lra. apply Rmult_le_pos; auto using chance_nonneg. Qed.
Theorem peel_law eta q L : forall U, NoDup U -> (L <= length U)%nat -> law (peel eta q L U).
Proof.
  induction L as [|L IH]; intros U N H.
  - apply law_finite with [[]].
    + repeat constructor. intros [].
    + intros [|a t]; simpl; lra.
    + intros [|a t]; simpl; [auto|lra].
    + simpl. lra.
  - apply (law_transfer (fun o => fst o :: snd o) (joint (chance eta q U) (fun a => peel eta q L (without a U)))).
    + apply law_joint; auto using Nat.eq_dec.
      * apply chance_law; auto. intros ->. simpl in H. lia.
      * intros a. apply IH; auto using without_nodup. assert (K := without_length a U N). lia.
    + intros (a & t) (a' & t'); simpl. intros E; injection E; intros; subst; auto.
    + intros (a & t). reflexivity.
    + intros [|a t]; [left; auto|right]. exists (a, t). reflexivity.
Qed.
Theorem peel_support eta q L : forall U T, peel eta q L U T <> 0 -> NoDup T /\ incl T U /\ length T = L.
Proof.
  induction L as [|L IH]; destruct T as [|a t]; simpl; intros H; try lra.
  - repeat split; auto. constructor. intros x [].
  - assert (C : chance eta q U a <> 0) by (intros Z; apply H; rewrite Z; ring).
    assert (P : peel eta q L (without a U) t <> 0) by (intros Z; apply H; rewrite Z; ring).
    destruct (IH _ _ P) as (N & I & E).
    assert (A : In a U) by (unfold chance in C; destruct (in_dec Nat.eq_dec a U); auto; lra).
    repeat split; auto.
    + constructor; auto. intros K. apply I in K. apply remove_In in K; auto.
    + intros x [->|K]; auto. apply I in K. apply in_remove in K. tauto.
Qed.

(* ---- the cost of one round, and of L ---- *)
Lemma chance_tilt eta q q' beta U a : 0 <= eta -> (forall k, In k U -> q' k - q k <= beta) ->
  chance eta q U a <= exp (eta * (q a - q' a) + eta * beta) * chance eta q' U a.
Proof.
  intros He H. unfold chance. destruct (in_dec Nat.eq_dec a U) as [I|]; [|rewrite Rmult_0_r; lra].
  assert (P := total_pos eta q U a I). assert (P' := total_pos eta q' U a I).
  assert (T : lsum U (weight eta q') <= exp (eta * beta) * lsum U (weight eta q)).
  { rewrite <- lsum_scal. apply lsum_le; intros k K. unfold weight. rewrite <- exp_plus. apply exp_le.
    specialize (H k K). nra. }
  assert (E : weight eta q a = exp (eta * (q a - q' a)) * weight eta q' a)
    by (unfold weight; rewrite <- exp_plus; f_equal; ring).
  rewrite E, exp_plus. set (e := exp (eta * (q a - q' a))). set (f := exp (eta * beta)) in *.
  assert (0 < e) by apply exp_pos. assert (W := weight_pos eta q' a).
  apply Rmult_le_reg_r with (lsum U (weight eta q) * lsum U (weight eta q')). nra.
  replace (e * weight eta q' a / lsum U (weight eta q) * (lsum U (weight eta q) * lsum U (weight eta q')))
    with (e * weight eta q' a * lsum U (weight eta q')) by (field; lra).
  replace (e * f * (weight eta q' a / lsum U (weight eta q')) * (lsum U (weight eta q) * lsum U (weight eta q')))
    with (e * weight eta q' a * (f * lsum U (weight eta q))) by (field; lra).
  apply Rmult_le_compat_l; nra.
Qed.
Lemma peel_tilt eta q q' beta : 0 <= eta -> forall L U T, (forall k, In k U -> q' k - q k <= beta) ->
  peel eta q L U T <= exp (eta * lsum T (fun a => q a - q' a) + INR L * (eta * beta)) * peel eta q' L U T.
Proof.
  intros He L. induction L as [|L IH]; intros U [|a t] H; cbn [peel]; try (rewrite Rmult_0_r; lra).
  - simpl. rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r, exp_0. lra.
  - rewrite S_INR. cbn [lsum fold_right]. fold (lsum t (fun a => q a - q' a)).
    replace (eta * (q a - q' a + lsum t (fun a => q a - q' a)) + (INR L + 1) * (eta * beta))
      with ((eta * (q a - q' a) + eta * beta) + (eta * lsum t (fun a => q a - q' a) + INR L * (eta * beta))) by ring.
    rewrite exp_plus. assert (A := chance_tilt eta q q' beta U a He H).
    assert (B := IH (without a U) t (fun k K => H k (proj1 (in_remove _ _ _ _ K)))).
    eapply Rle_trans.
    + apply Rmult_le_compat; [apply chance_nonneg|apply peel_nonneg|exact A|exact B].
    + right; ring.
Qed.

(* ---- what one unit moves in a set of atoms ---- *)
Lemma piece_range b v : (forall k, piece b k v) -> forall j, (0 <= v j <= b)%Z.
Proof. intros P j. apply (piece_coord b (S j) v j); auto. Qed.
Lemma piece_total m b v : (forall k, piece b k v) -> forall T, atoms_below m T -> 0 <= IZR (psum T v) <= IZR b.
Proof. intros P T I. destruct (psum_piece b m v T (P m) I). split; apply IZR_le; auto. Qed.
Lemma gain_up C C' v : (forall j, C' j = (C j + v j)%Z) -> forall T, psum T (fun a => (C' a - C a)%Z) = psum T v.
Proof. intros E T. apply psum_ext. intros a. rewrite E. ring. Qed.
Lemma gain_down C C' v : (forall j, C' j = (C j + v j)%Z) -> forall T,
  psum T (fun a => (C a - C' a)%Z) = (- psum T v)%Z.
Proof. intros E T. rewrite <- psum_opp. apply psum_ext. intros a. rewrite E. ring. Qed.
Lemma swap_total C C' u v : (forall j, C' j = (C j - u j + v j)%Z) -> forall T,
  psum T (fun a => (C a - C' a)%Z) = (psum T u - psum T v)%Z.
Proof.
  intros E T. rewrite (psum_ext T (fun a => (C a - C' a)%Z) (fun a => (u a + - v a)%Z)).
  - rewrite psum_plus, psum_opp. ring.
  - intros a. rewrite E. ring.
Qed.

(* ---- integer scores ---- *)
Section Admission.
Variables (m L : nat) (eta : R).
Hypothesis He : 0 <= eta.
Definition admission (C : nat -> Z) : list nat -> R := peel eta (fun j => IZR (C j)) L (seq 0 m).
Lemma admission_law C : (L <= m)%nat -> law (admission C).
Proof. intros HL. apply peel_law. apply seq_NoDup. rewrite seq_length; auto. Qed.
Lemma admission_nonneg C T : 0 <= admission C T.
Proof. apply peel_nonneg. Qed.
Lemma admission_support C T : admission C T <> 0 -> atoms_below m T /\ length T = L.
Proof.
  intros H. destruct (peel_support _ _ _ _ _ H) as (N & I & E). split; auto. split; auto.
  intros a A. apply I in A. apply in_seq in A. lia.
Qed.
Lemma lsum_psum T (C C' : nat -> Z) :
  lsum T (fun a => IZR (C a) - IZR (C' a)) = IZR (psum T (fun a => (C a - C' a)%Z)).
Proof. unfold psum; induction T; simpl; auto. rewrite IHT, plus_IZR, minus_IZR. lra. Qed.
Lemma admission_tilt C C' beta T : (forall j, (C' j - C j <= beta)%Z) ->
  admission C T <= exp (eta * IZR (psum T (fun a => (C a - C' a)%Z)) + INR L * (eta * IZR beta)) * admission C' T.
Proof.
  intros H. unfold admission. rewrite <- lsum_psum.
  apply (peel_tilt eta (fun j => IZR (C j)) (fun j => IZR (C' j))); auto.
  intros k _. rewrite <- minus_IZR. apply IZR_le. auto.
Qed.
Lemma admission_le C C' beta bound : (forall j, (C' j - C j <= beta)%Z) ->
  (forall T, atoms_below m T -> eta * IZR (psum T (fun a => (C a - C' a)%Z)) + INR L * (eta * IZR beta) <= bound) ->
  ratio bound (admission C) (admission C').
Proof.
  intros Hbeta B T. destruct (Req_dec (admission C T) 0) as [Z0|NZ].
  { rewrite Z0. apply Rmult_le_pos; [left; apply exp_pos|apply admission_nonneg]. }
  eapply Rle_trans. apply (admission_tilt C C' beta T Hbeta).
  apply Rmult_le_compat_r. apply admission_nonneg. apply exp_le, B. apply (admission_support C); auto.
Qed.

(* one unit more: the two directions differ by the factor L *)
Theorem admission_gain b C C' v : (forall k, piece b k v) -> (forall j, C' j = (C j + v j)%Z) ->
  ratio (eta * IZR b) (admission C') (admission C).
Proof.
  intros P E. apply admission_le with 0%Z. intros j; rewrite E; assert (K := piece_range b v P j); lia.
  intros T I. rewrite (gain_up C C' v E). destruct (piece_total m b v P T I). simpl (IZR 0). nra.
Qed.
Lemma admission_loss b C C' v : (forall k, piece b k v) -> (forall j, C' j = (C j + v j)%Z) ->
  ratio (INR L * (eta * IZR b)) (admission C) (admission C').
Proof.
  intros P E. apply admission_le with b. intros j; rewrite E; assert (K := piece_range b v P j); lia.
  intros T I. rewrite (gain_down C C' v E), opp_IZR. destruct (piece_total m b v P T I). nra.
Qed.
Lemma admission_swap b C C' u v : (forall k, piece b k u) -> (forall k, piece b k v) ->
  (forall j, C' j = (C j - u j + v j)%Z) -> ratio ((INR L + 1) * (eta * IZR b)) (admission C) (admission C').
Proof.
  intros P Q E. apply admission_le with b.
  - intros j. rewrite E. assert (A := piece_range b u P j). assert (B := piece_range b v Q j). lia.
  - intros T I. rewrite (swap_total C C' u v E), minus_IZR. assert (0 <= INR L) by apply pos_INR.
    destruct (piece_total m b u P T I), (piece_total m b v Q T I). nra.
Qed.
End Admission.

(* a = eta B *)
Definition selection_cost (r : adjacency) (L : nat) (a : R) : R :=
  match r with add_drop => INR L * a | replacement => (INR L + 1) * a end.
Section FromRecords.
Variables (b w : Z) (L : nat) (eta : R).
Hypothesis Hb : (0 <= b)%Z.
Hypothesis HL : (1 <= L <= Z.to_nat w)%nat.
Hypothesis He : 0 <= eta.
Notation admitted v := (admission (Z.to_nat w) L eta (coord v)).
Lemma admission_moved r v v' : moved r b w v v' ->
  close (selection_cost r L (eta * IZR b)) (admitted v) (admitted v').
Proof.
  assert (R0 : 0 <= eta * IZR b) by (apply Rmult_le_pos; auto; apply IZR_le; auto).
  assert (R1 : eta * IZR b <= INR L * (eta * IZR b)).
  { assert (1 <= INR L) by (apply (le_INR 1); lia). nra. }
  assert (HL' : (L <= Z.to_nat w)%nat) by lia.
  assert (G : forall x y, gains b w x y -> close (INR L * (eta * IZR b)) (admitted x) (admitted y)).
  { intros x y (f & P & E). split; [|split; [|split]]; try apply admission_law; auto.
    - apply admission_loss with f; auto.
    - apply ratio_weaken with (eta * IZR b); auto. intros; apply admission_nonneg. apply admission_gain with f; auto. }
  destruct r; simpl.
  - intros [M|M]; [apply G; auto|apply close_sym, G; auto].
  - intros M. assert (M' := swaps_sym _ _ _ _ M). destruct M as (f & g & P & Q & E), M' as (f' & g' & P' & Q' & E').
    split; [|split; [|split]]; try apply admission_law; auto.
    + apply admission_swap with f g; auto.
    + apply admission_swap with f' g'; auto.
Qed.
Theorem admission_record r D D' : record_adjacent r D D' ->
  close (selection_cost r L (eta * IZR b)) (admitted (sketch D b w)) (admitted (sketch D' b w)).
Proof. intros A. apply admission_moved, record_moved; auto. Qed.
Theorem admission_user r D D' : user_adjacent r D D' ->
  close (selection_cost r L (eta * IZR b)) (admitted (user_sketch D b w)) (admitted (user_sketch D' b w)).
Proof. intros A. apply admission_moved, user_moved; auto. Qed.
End FromRecords.
