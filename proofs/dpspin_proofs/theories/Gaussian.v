(* Gaussian mode: noise N(0, sigma^2) on every atom, rounded, and private_top_l with such values.

   nearest same_release                     noise that is rounded and added is continuous noise, rounded after the sum
   squares l2_bound moved_squares           Delta_2 squared, for any set of atoms, under each relation
   covers renyi_covers                      (epsilon, delta) of rounded Gaussian noise, proved by integer Renyi orders
   rational_covers                          the same at rational numbers, decided by one comparison of integers
   gaussian_record gaussian_user            so the noisy sketch is (epsilon, delta)-DP
   all_gaussian_record *_user               where all atoms are admitted, the plan costs what the values cost
   top_l_gaussian_record *_user             and so is private_top_l: the epsilons of admission and values add up
   top_l_closed_record *_user               or both epsilons and both deltas, with the closed form of admission

   Any epsilon and delta that cover the shifts may be used; those of Balle and Wang (2018), Theorem 8, are on paper. *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Users Neighbours Probability Noise Approximate.
From DPSPIN Require Import Bell Hoelder Laplace Peeling SparseRelease Closed.
Import ListNotations.
Open Scope R_scope.

(* ---- rounding ---- *)
Definition nearest (x : R) : Z := Int_part (x + / 2).
Theorem nearest_near x : IZR (nearest x) - / 2 <= x <= IZR (nearest x) + / 2.
Proof. unfold nearest. destruct (base_Int_part (x + / 2)) as (A & B). lra. Qed.
Theorem same_release n x : nearest (IZR n + x) = (n + nearest x)%Z.
Proof.
  unfold nearest, Int_part. destruct (archimed (x + / 2)) as (A & B).
  rewrite <- (tech_up (IZR n + x + / 2) (n + up (x + / 2))). lia. rewrite plus_IZR. lra. rewrite plus_IZR. lra.
Qed.

(* ---- Delta_2 squared, for n noisy entries ---- *)
Fixpoint squares (xs xs' : list Z) : Z :=
  match xs, xs' with x :: r, x' :: r' => (x - x') * (x - x') + squares r r' | _, _ => 0 end.
Definition l2_bound (r : adjacency) (b : Z) (n : nat) : Z :=
  match r with add_drop => b * b | replacement => if Nat.eq_dec n 1 then b * b else 2 * (b * b) end.
Lemma squares_psum f g S : squares (map f S) (map g S) = psum S (fun a => (f a - g a) * (f a - g a))%Z.
Proof. unfold psum; induction S; cbn [map squares fold_right]; auto. rewrite IHS; auto. Qed.
Lemma moved_squares r b m v v' S : (0 <= b)%Z -> atoms_below m S -> forall w, moved r b w v v' ->
  (squares (map (coord v) S) (map (coord v') S) <= l2_bound r b (length S))%Z.
Proof.
  intros Hb I w M. rewrite squares_psum.
  set (f := fun a => ((coord v a - coord v' a) * (coord v a - coord v' a))%Z).
  assert (P : (psum S f <= zl2sq m (diff v v'))%Z).
  { unfold zl2sq. rewrite (msum_ext m _ f) by (intros j _; unfold diff, f; ring).
    apply psum_le; auto. intros j. apply Z.square_nonneg. }
  destruct r; unfold l2_bound, moved in *.
  - destruct M as [M|M].
    + destruct (gains_bounds b w v v' Hb M m) as (_ & _ & H). lia.
    + rewrite (zl2_ext m _ (diff v' v)) in P by (intros j; unfold diff; lia).
      destruct (gains_bounds b w v' v Hb M m) as (_ & _ & H). lia.
  - destruct (Nat.eq_dec (length S) 1) as [E|_].
    + destruct S as [|a [|]]; try discriminate. unfold psum, f. cbn [fold_right].
      destruct (swaps_bounds b w v v' Hb M (Datatypes.S a)) as (C & _). specialize (C a ltac:(lia)).
      unfold diff in C. nia.
    + destruct (swaps_bounds b w v v' Hb M m) as (_ & _ & H). lia.
Qed.

(* ---- the noise: variance v = sigma^2, in lattice units ---- *)
Section Noise.
Variable v : R.
Hypothesis Hv : 0 < v.
Notation noisy := (noises (rounded v)).
(* (epsilon, delta) for all shifts of n entries by at most d2, the square of their l2 norm *)
Definition covers (n : nat) (d2 : Z) (eps delta : R) := forall xs xs', length xs = n -> length xs' = n ->
  (squares xs xs' <= d2)%Z -> nearly eps delta (noisy xs) (noisy xs').
Fixpoint beyond (k : nat) (xs xs' : list Z) : list Z :=
  match xs, xs' with x :: r, x' :: r' => (x + Z.of_nat k * (x - x'))%Z :: beyond k r r' | _, _ => [] end.
Lemma noisy_nonneg xs ys : 0 <= noisy xs ys.
Proof. apply (noises_law (rounded v) xs (rounded_law v Hv)). Qed.
Lemma toll_plus k a b : toll v k (a + b) = toll v k a * toll v k b.
Proof. unfold toll. rewrite <- exp_plus. f_equal. field. lra. Qed.
Lemma noisy_shift k xs : forall xs' ys, length xs = length xs' ->
  noisy xs ys ^ S k <= toll v k (IZR (squares xs xs')) * noisy (beyond k xs xs') ys * noisy xs' ys ^ k.
Proof.
  induction xs as [|x xs IH]; intros [|x' xs'] [|y ys] L; try discriminate; cbn [noises beyond squares];
    try (rewrite !pow_i by lia; rewrite Rmult_0_r, Rmult_0_l; lra).
  - unfold toll. rewrite Rmult_0_r. unfold Rdiv. rewrite Rmult_0_l, exp_0, !pow1. lra.
  - rewrite plus_IZR, toll_plus, !Rpow_mult_distr. assert (H := rounded_shift v Hv k (y - x) (x - x')).
    replace (y - x - Z.of_nat k * (x - x'))%Z with (y - (x + Z.of_nat k * (x - x')))%Z in H by ring.
    replace (y - x + (x - x'))%Z with (y - x')%Z in H by ring. specialize (IH xs' ys ltac:(simpl in L; lia)).
    eapply Rle_trans.
    + apply Rmult_le_compat; [|apply pow_le, noisy_nonneg|exact H|exact IH].
      apply pow_le. left. apply rounded_pos; auto.
    + right. ring.
Qed.
Definition delta_at (k : nat) (eps : R) (d2 : Z) : R :=
  (INR k / (INR k + 1)) ^ k / (INR k + 1) * exp (- (INR k * eps)) * toll v k (IZR d2).
Lemma noisy_excess k eps xs xs' ys : (1 <= k)%nat -> length xs = length xs' ->
  noisy xs ys <= exp eps * noisy xs' ys + delta_at k eps (squares xs xs') * noisy (beyond k xs xs') ys.
Proof.
  intros K L. assert (K0 : 1 <= INR k) by (apply (le_INR 1); auto). set (W := toll v k (IZR (squares xs xs'))).
  assert (W0 : 0 < W) by apply exp_pos. assert (R0 := noisy_nonneg (beyond k xs xs') ys).
  assert (D0 : 0 <= delta_at k eps (squares xs xs')).
  { unfold delta_at. apply Rmult_le_pos; [apply Rmult_le_pos|left; exact W0]; [|left; apply exp_pos].
    apply Rmult_le_pos; [apply pow_le, Rmult_le_pos; [lra|]|]; left; apply Rinv_0_lt_compat; lra. }
  destruct (Req_dec (noisy xs ys) 0) as [Z0|NZ].
  { rewrite Z0. assert (Q := noisy_nonneg xs' ys). assert (E := exp_pos eps).
    apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; lra. }
  assert (Q : 0 < noisy xs' ys).
  { apply noises_pos. apply rounded_pos; auto. rewrite <- L. eapply noises_length; eauto. }
  assert (P := noisy_nonneg xs ys). assert (S := noisy_shift k xs xs' ys L). fold W in S.
  set (p := noisy xs ys) in *. set (q := noisy xs' ys) in *. set (h := noisy (beyond k xs xs') ys) in *.
  set (a := exp eps). assert (A : 0 < a) by apply exp_pos. set (y := (INR k + 1) / INR k * (a * q)).
  assert (Y0 : 0 < y).
  { apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|apply Rmult_lt_0_compat; auto]. }
  assert (Y := young p y k P ltac:(lra)). assert (Yk : 0 < y ^ k) by (apply pow_lt; auto).
  assert (B : (INR k + 1) * (p * y ^ k) <= W * h * q ^ k + INR k * y ^ Datatypes.S k) by lra.
  assert (E : delta_at k eps (squares xs xs') * h * ((INR k + 1) * y ^ k) = W * h * q ^ k).
  { unfold delta_at. fold W. replace (exp (- (INR k * eps))) with (/ a ^ k).
    - unfold y. rewrite !Rpow_mult_distr. unfold Rdiv. rewrite !Rpow_mult_distr, !pow_inv.
      assert (N1 : INR k ^ k <> 0) by (apply pow_nonzero; lra).
      assert (N2 : (INR k + 1) ^ k <> 0) by (apply pow_nonzero; lra).
      assert (N3 : a ^ k <> 0) by (apply pow_nonzero; lra). field. repeat split; auto; lra.
    - rewrite exp_Ropp. f_equal. unfold a. clear. induction k. simpl. rewrite Rmult_0_l, exp_0. auto.
      rewrite S_INR. simpl. rewrite IHk, <- exp_plus. f_equal. ring. }
  apply Rmult_le_reg_r with ((INR k + 1) * y ^ k); [apply Rmult_lt_0_compat; lra|].
  rewrite (Rmult_plus_distr_r (a * q)), E. replace (a * q * ((INR k + 1) * y ^ k)) with (INR k * y ^ Datatypes.S k).
  - lra.
  - unfold y at 1. simpl. unfold y. field. lra.
Qed.
Theorem renyi_covers n d2 k eps : (1 <= k)%nat -> covers n d2 eps (delta_at k eps d2).
Proof.
  intros K.
  assert (G : forall xs xs', length xs = length xs' -> (squares xs xs' <= d2)%Z ->
    forall l, NoDup l -> lsum l (excess eps (noisy xs) (noisy xs')) <= delta_at k eps d2).
  { intros xs xs' L Sq l N. assert (K0 : 1 <= INR k) by (apply (le_INR 1); auto).
    assert (M : 0 <= (INR k / (INR k + 1)) ^ k / (INR k + 1) * exp (- (INR k * eps))).
    { apply Rmult_le_pos; [|left; apply exp_pos].
      apply Rmult_le_pos; [apply pow_le, Rmult_le_pos; [lra|]|]; left; apply Rinv_0_lt_compat; lra. }
    assert (T : delta_at k eps (squares xs xs') <= delta_at k eps d2).
    { unfold delta_at. apply Rmult_le_compat_l; auto. unfold toll. apply exp_le. apply IZR_le in Sq.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rmult_le_compat_l; auto.
      apply Rmult_le_pos; lra. }
    assert (D : 0 <= delta_at k eps (squares xs xs')) by (apply Rmult_le_pos; [exact M|left; apply exp_pos]).
    eapply Rle_trans; [|exact T].
    apply Rle_trans with (lsum l (fun ys => delta_at k eps (squares xs xs') * noisy (beyond k xs xs') ys)).
    - apply lsum_le. intros ys _.
      apply (excess_least eps (noisy xs) (noisy xs')
        (fun ys => delta_at k eps (squares xs xs') * noisy (beyond k xs xs') ys)).
      + intros zs. apply Rmult_le_pos; auto using noisy_nonneg.
      + intros zs. apply noisy_excess; auto.
    - rewrite lsum_scal. rewrite <- (Rmult_1_r (delta_at _ _ _)) at 2. apply Rmult_le_compat_l; auto.
      apply law_at_most; auto. apply noises_law, rounded_law; auto. }
  intros xs xs' L L' Sq. split; [|split; [|split]]; try (apply noises_law, rounded_law; auto);
    apply G; try congruence; auto.
  replace (squares xs' xs) with (squares xs xs'); auto. clear. revert xs'.
  induction xs as [|x xs IH]; intros [|x' xs']; cbn [squares]; auto. rewrite IH. ring.
Qed.

(* the same at rational numbers, by one comparison of integers: exp (- y) is at most / (1 + y / n)^n *)
Lemma exp_at_most y n : 0 <= y -> (1 <= n)%nat -> exp (- y) <= / (1 + y / INR n) ^ n.
Proof.
  intros Y N. assert (N1 : 1 <= INR n) by (apply (le_INR 1); auto).
  assert (Q : 0 <= y / INR n) by (apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat]; lra).
  rewrite exp_Ropp. apply Rinv_le_contravar; [apply pow_lt; lra|].
  replace (exp y) with (exp (y / INR n) ^ n).
  - apply pow_incr. split; [lra|apply exp_ineq1_le].
  - rewrite exp_power. f_equal. field. lra.
Qed.
Theorem rational_covers size d2 k eps c n p q top bottom : (1 <= k)%nat -> (1 <= n)%nat ->
  (0 <= p)%Z -> (0 < q)%Z -> (0 < bottom)%Z ->
  IZR d2 <= 2 * v * c -> IZR p / IZR q + INR k * (INR k + 1) * c <= INR k * eps ->
  (Z.of_nat k ^ Z.of_nat k * (q * Z.of_nat n) ^ Z.of_nat n * bottom <=
   (Z.of_nat k + 1) ^ (Z.of_nat k + 1) * (q * Z.of_nat n + p) ^ Z.of_nat n * top)%Z ->
  covers size d2 eps (IZR top / IZR bottom).
Proof.
  intros K N P Q B V Y I xs xs' L L' Sq. apply nearly_weaken with eps (delta_at k eps d2);
    [lra| |apply (renyi_covers size d2 k eps K); auto].
  assert (K1 : 1 <= INR k) by (apply (le_INR 1); auto). assert (N1 : 1 <= INR n) by (apply (le_INR 1); auto).
  assert (Y' : IZR p / IZR q <= INR k * eps - INR k * (INR k + 1) * IZR d2 / (2 * v)).
  { assert (INR k * (INR k + 1) * IZR d2 / (2 * v) <= INR k * (INR k + 1) * c); [|lra].
    unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
    apply Rmult_le_reg_r with (2 * v); [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
  apply IZR_le in P. apply IZR_lt in Q, B. apply IZR_le in I. set (y := IZR p / IZR q) in *.
  assert (Y0 : 0 <= y) by (apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat]; lra).
  assert (E := exp_at_most y n Y0 N). set (u := (1 + y / INR n) ^ n) in *.
  assert (U : 0 < u).
  { apply pow_lt. assert (0 <= y / INR n) by (apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat]; lra). lra. }
  replace (Z.of_nat k + 1)%Z with (Z.of_nat (Datatypes.S k)) in I by lia.
  rewrite !mult_IZR, <- !pow_IZR, plus_IZR, !mult_IZR, <- !INR_IZR_INZ, S_INR in I.
  assert (M : IZR q * INR n + IZR p = IZR q * INR n * (1 + y / INR n)) by (unfold y; field; lra).
  rewrite M, (Rpow_mult_distr (IZR q * INR n)) in I. fold u in I.
  assert (W : 0 < (IZR q * INR n) ^ n) by (apply pow_lt, Rmult_lt_0_compat; lra).
  clear Y V c. set (c := INR k ^ k) in *. set (d := (INR k + 1) ^ Datatypes.S k) in *.
  assert (D : 0 < d) by (apply pow_lt; lra). assert (C : 0 < c) by (apply pow_lt; lra).
  assert (J : c * IZR bottom <= d * u * IZR top).
  { apply Rmult_le_reg_l with ((IZR q * INR n) ^ n); auto. lra. }
  apply Rle_trans with (c / d * / u).
  - replace (delta_at k eps d2) with (c / d * exp (- (INR k * eps - INR k * (INR k + 1) * IZR d2 / (2 * v)))).
    + apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; auto|]. eapply Rle_trans; [|exact E]. apply exp_le. lra.
    + unfold delta_at, toll, c, d, Rdiv. rewrite Rpow_mult_distr, pow_inv.
      rewrite (Rmult_assoc _ (exp _) (exp _)), <- exp_plus.
      replace (- (INR k * eps - INR k * (INR k + 1) * IZR d2 * / (2 * v)))
        with (- (INR k * eps) + INR k * (INR k + 1) * IZR d2 * / (2 * v)) by ring.
      f_equal. cbn [pow]. field. split; try (apply pow_nonzero); lra.
  - clearbody c d u. apply Rmult_le_reg_r with (d * u * IZR bottom); [repeat apply Rmult_lt_0_compat; auto|].
    replace (c / d * / u * (d * u * IZR bottom)) with (c * IZR bottom) by (field; repeat split; lra).
    replace (IZR top / IZR bottom * (d * u * IZR bottom)) with (d * u * IZR top) by (field; lra). exact J.
Qed.

(* ---- the mechanisms, from raw records on ---- *)
Section Mechanisms.
Variables (b w : Z) (r : adjacency) (eps delta : R).
Hypothesis Hb : (0 <= b)%Z.
Let m := Z.to_nat w.
Section FullSketch.
Hypothesis known : covers m (l2_bound r b m) eps delta.
Lemma gaussian_moved x y : py_len x = Z.max w 0 -> py_len y = Z.max w 0 -> moved r b w x y ->
  nearly eps delta (noisy x) (noisy y).
Proof.
  intros L L' M. assert (E : length x = m) by (unfold m, py_len in *; lia).
  assert (E' : length y = m) by (unfold m, py_len in *; lia). apply known; auto.
  rewrite (as_map x), (as_map y), E, E'. rewrite <- (seq_length m 0) at 3. apply (moved_squares r b m) with w; auto.
  split; [apply seq_NoDup|intros a A; apply in_seq in A; lia].
Qed.
Theorem gaussian_record D D' : record_adjacent r D D' ->
  nearly eps delta (noisy (sketch D b w)) (noisy (sketch D' b w)).
Proof. intros A. apply gaussian_moved; try apply sketch_length. apply record_moved; auto. Qed.
Theorem gaussian_user D D' : user_adjacent r D D' ->
  nearly eps delta (noisy (user_sketch D b w)) (noisy (user_sketch D' b w)).
Proof. intros A. apply gaussian_moved; try apply sketch_length. apply user_moved; auto. Qed.
End FullSketch.

(* where every atom is admitted, the plan is a function of the values alone *)
Section AllAdmitted.
Variable eta : R.
Hypothesis known : covers m (l2_bound r b m) eps delta.
Notation gaussian_plan x := (joint (admission m m eta (coord x)) (fun T => noisy (map (coord x) (ascending m T)))).
Lemma all_gaussian_moved {Y} (f : list (Z * Z) -> Y) x y : py_len x = Z.max w 0 -> py_len y = Z.max w 0 ->
  moved r b w x y -> nearly_indistinct eps delta (fun o => f (sparse_plan m o)) (gaussian_plan x) (gaussian_plan y).
Proof.
  intros L L' M E. assert (C := gaussian_moved known x y L L' M).
  destruct (nearly_events _ _ _ _ (fun ys => f (sparse_plan m (seq 0 m, ys))) C E) as (p & p' & P & P' & K).
  exists p, p'. assert (Pos : forall z c F, probability (noisy z) F c -> 0 <= c).
  { intros z c F (U & _). apply U. exists []. repeat split; auto. constructor. intros a []. }
  split; [|split]; auto; apply (all_admitted_event w eta); auto using rounded_law; eapply Pos; eauto.
Qed.
Theorem all_gaussian_record {Y} (f : list (Z * Z) -> Y) D D' : record_adjacent r D D' ->
  nearly_indistinct eps delta (fun o => f (sparse_plan m o))
    (gaussian_plan (sketch D b w)) (gaussian_plan (sketch D' b w)).
Proof. intros A. apply all_gaussian_moved; try apply sketch_length. apply record_moved; auto. Qed.
Theorem all_gaussian_user {Y} (f : list (Z * Z) -> Y) D D' : user_adjacent r D D' ->
  nearly_indistinct eps delta (fun o => f (sparse_plan m o))
    (gaussian_plan (user_sketch D b w)) (gaussian_plan (user_sketch D' b w)).
Proof. intros A. apply all_gaussian_moved; try apply sketch_length. apply user_moved; auto. Qed.
End AllAdmitted.

Section SparseRelease.
Variables (L : nat) (eta : R).
Hypothesis HL : (1 <= L <= m)%nat.
Hypothesis He : 0 <= eta.
Hypothesis Hd : 0 <= delta.
Hypothesis known : covers L (l2_bound r b L) eps delta.
Definition gaussian_release (C : nat -> Z) : list nat * list Z -> R :=
  joint (admission m L eta C) (fun T => noisy (map C (ascending m T))).
Lemma top_l_moved e1 d1 x y : moved r b w x y ->
  nearly e1 d1 (admission m L eta (coord x)) (admission m L eta (coord y)) ->
  nearly (e1 + eps) (d1 + delta) (gaussian_release (coord x)) (gaussian_release (coord y)).
Proof.
  intros M S1. apply nearly_compose; auto.
  - apply list_eq_dec, Nat.eq_dec.
  - intros T. apply noises_law, rounded_law; auto.
  - intros T. apply noises_law, rounded_law; auto.
  - intros T NZ. assert (I : atoms_below m T /\ length T = L)
      by (destruct NZ as [NZ|NZ]; eapply admission_support; exact NZ).
    destruct I as (I & E). assert (P := ascending_perm m T I).
    assert (E' : length (ascending m T) = L) by (rewrite <- E; symmetry; apply Permutation.Permutation_length; auto).
    apply known; try (rewrite map_length; auto). rewrite <- E'. apply (moved_squares r b m) with w; auto.
    split; [apply NoDup_filter, seq_NoDup|]. intros a A. apply filter_In in A. destruct A as (A & _).
    apply in_seq in A. lia.
Qed.
Theorem top_l_gaussian_record D D' : record_adjacent r D D' ->
  nearly (selection_cost r L (eta * IZR b) + eps) delta
    (gaussian_release (coord (sketch D b w))) (gaussian_release (coord (sketch D' b w))).
Proof.
  intros A. rewrite <- (Rplus_0_l delta). apply top_l_moved. apply record_moved; auto.
  apply close_nearly, admission_record; auto.
Qed.
Theorem top_l_gaussian_user D D' : user_adjacent r D D' ->
  nearly (selection_cost r L (eta * IZR b) + eps) delta
    (gaussian_release (coord (user_sketch D b w))) (gaussian_release (coord (user_sketch D' b w))).
Proof.
  intros A. rewrite <- (Rplus_0_l delta). apply top_l_moved. apply user_moved; auto.
  apply close_nearly, admission_user; auto.
Qed.
(* the smaller epsilon of admission, at a delta of its own *)
Theorem top_l_closed_record e1 D D' : record_adjacent r D D' ->
  nearly (e1 + eps) (closed_cost r L (eta * IZR b) e1 + delta)
    (gaussian_release (coord (sketch D b w))) (gaussian_release (coord (sketch D' b w))).
Proof.
  intros A. apply top_l_moved. apply record_moved; auto. apply admission_closed_record; auto. unfold m in HL. lia.
Qed.
Theorem top_l_closed_user e1 D D' : user_adjacent r D D' ->
  nearly (e1 + eps) (closed_cost r L (eta * IZR b) e1 + delta)
    (gaussian_release (coord (user_sketch D b w))) (gaussian_release (coord (user_sketch D' b w))).
Proof.
  intros A. apply top_l_moved. apply user_moved; auto. apply admission_closed_user; auto. unfold m in HL. lia.
Qed.
End SparseRelease.
End Mechanisms.
End Noise.
