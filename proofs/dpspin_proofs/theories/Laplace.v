(* Discrete Laplace noise, and the release in laplace mode: noise on the whole sketch, then the L highest.

   laplace laplace_law laplace_ratio            one draw: total mass one, and what a shift of the centre costs
   laplaces laplaces_law laplaces_ratio         independent noise on every entry of a vector
   l1_bound shifted                             Delta_1 of the sketch under each relation
   noisy_sketch noisy_user_sketch laplace_*     the noisy sketch costs Delta_1 times the rate under all four relations
   full_plan laplace_plan                       and so does any plan, text or decision computed from it *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Users Neighbours Probability Noise.
Import ListNotations.
Open Scope R_scope.

(* ---- one draw: rate s for each lattice unit, so that the scale is 1 / s ---- *)
Definition laplace (s : R) (z : Z) : R := (1 - exp (- s)) / (1 + exp (- s)) * exp (- (s * IZR (Z.abs z))).
Section Laplace.
Variable s : R.
Hypothesis Hs : 0 < s.
Let a := exp (- s).
Lemma decay_range : 0 < a < 1.
Proof. unfold a. split. apply exp_pos. rewrite <- exp_0. apply exp_increasing. lra. Qed.
Lemma laplace_pos z : 0 < laplace s z.
Proof.
  assert (A := decay_range). unfold laplace. fold a. apply Rmult_lt_0_compat; [|apply exp_pos].
  apply Rdiv_lt_0_compat; lra.
Qed.
Lemma decay_pow k : exp (- (s * IZR (Z.of_nat k))) = a ^ k.
Proof.
  induction k. simpl; rewrite Rmult_0_r, Ropp_0, exp_0; auto.
  rewrite Nat2Z.inj_succ, succ_IZR.
  replace (- (s * (IZR (Z.of_nat k) + 1))) with (- s + - (s * IZR (Z.of_nat k))) by ring.
  rewrite exp_plus, IHk. unfold a; simpl; ring.
Qed.

(* the integers -n..n *)
Fixpoint span (n : nat) : list Z :=
  match n with O => [0%Z] | S k => span k ++ [Z.of_nat (S k); (- Z.of_nat (S k))%Z] end.
Lemma span_in n z : In z (span n) <-> (Z.abs z <= Z.of_nat n)%Z.
Proof. induction n; cbn [span]. simpl; lia. rewrite in_app_iff, IHn. cbn [In]. lia. Qed.
Lemma span_nodup n : NoDup (span n).
Proof.
  induction n; cbn [span]. repeat constructor; auto.
  assert (X : forall z, In z (span n) -> ~ In z [Z.of_nat (S n); (- Z.of_nat (S n))%Z])
    by (intros z; rewrite span_in; cbn [In]; lia).
  revert IHn X. generalize (span n) as c. induction c as [|y c IH]; intros N X.
  - cbn [app]. constructor; [cbn [In]; lia|]. constructor; [intros []|constructor].
  - cbn [app]. inversion N; subst. constructor.
    + rewrite in_app_iff. intros [I|I]; auto. apply (X y); auto. left; auto.
    + apply IH; auto. intros z I. apply X. right; auto.
Qed.
Lemma span_cover (l : list Z) : exists n, incl l (span n).
Proof.
  induction l as [|z l (n & H)]. exists O; intros z [].
  exists (Nat.max n (Z.abs_nat z)). intros x [<-|I]; apply span_in. lia. apply H, span_in in I. lia.
Qed.
Lemma laplace_span n : lsum (span n) (laplace s) = 1 - 2 * a ^ S n / (1 + a).
Proof.
  assert (A := decay_range). induction n; cbn [span].
  - unfold laplace. fold a. simpl (Z.abs 0). simpl. rewrite Rmult_0_r, Ropp_0, exp_0. field. lra.
  - rewrite lsum_app, IHn. unfold lsum; cbn [fold_right]. unfold laplace. fold a.
    rewrite Z.abs_opp, Z.abs_eq by lia. rewrite decay_pow. simpl. field. lra.
Qed.

Theorem laplace_law : law (laplace s).
Proof.
  assert (A := decay_range). assert (Q : 0 < / (1 + a) < 1).
  { split. apply Rinv_0_lt_compat; lra. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  apply law_intro.
  - intros z. left. apply laplace_pos.
  - intros l N. destruct (span_cover l) as (n & C). apply Rle_trans with (lsum (span n) (laplace s)).
    + apply lsum_incl; auto. intros z. left. apply laplace_pos.
    + rewrite laplace_span. assert (0 < a ^ S n) by (apply pow_lt; lra). unfold Rdiv. nra.
  - intros u H. apply Rnot_lt_le. intros Lt.
    destruct (pow_lt_1_zero a ltac:(rewrite Rabs_right; lra) ((1 - u) / 2) ltac:(lra)) as (n & K).
    specialize (K (S n) ltac:(lia)). assert (P : 0 < a ^ S n) by (apply pow_lt; lra). rewrite Rabs_right in K by lra.
    specialize (H (span n) (span_nodup n)). rewrite laplace_span in H. unfold Rdiv in *.
    assert (2 * a ^ S n * / (1 + a) <= 2 * a ^ S n) by (rewrite <- (Rmult_1_r (2 * _)) at 2; nra). lra.
Qed.
Lemma laplace_ratio x x' y : laplace s (y - x) <= exp (s * IZR (Z.abs (x - x'))) * laplace s (y - x').
Proof.
  assert (A := decay_range). unfold laplace. fold a. rewrite (Rmult_comm (exp _)), Rmult_assoc.
  apply Rmult_le_compat_l. left. apply Rdiv_lt_0_compat; lra. rewrite <- exp_plus. apply exp_le.
  assert (IZR (Z.abs (y - x')) <= IZR (Z.abs (y - x)) + IZR (Z.abs (x - x')))
    by (rewrite <- plus_IZR; apply IZR_le; lia).
  nra.
Qed.
(* ---- independent noise on every entry ---- *)
Notation laplaces := (noises (laplace s)).
Theorem laplaces_law xs : law (laplaces xs).
Proof. apply noises_law, laplace_law. Qed.
Lemma laplaces_nonneg xs ys : 0 <= laplaces xs ys.
Proof. apply (laplaces_law xs). Qed.
Fixpoint distance (xs xs' : list Z) : Z :=
  match xs, xs' with x :: r, x' :: r' => Z.abs (x - x') + distance r r' | _, _ => 0 end.
Theorem laplaces_ratio xs : forall xs', length xs = length xs' ->
  ratio (s * IZR (distance xs xs')) (laplaces xs) (laplaces xs').
Proof.
  induction xs as [|x xs IH]; destruct xs' as [|x' xs']; simpl; try discriminate; intros L ys.
  - destruct ys; simpl; rewrite ?Rmult_0_r, ?exp_0; lra.
  - destruct ys as [|y ys]; simpl. lra. rewrite plus_IZR, Rmult_plus_distr_l, exp_plus.
    assert (H := laplace_ratio x x' y). assert (K := IH xs' ltac:(lia) ys).
    replace (exp (s * IZR (Z.abs (x - x'))) * exp (s * IZR (distance xs xs')) * (laplace s (y - x') * laplaces xs' ys))
      with ((exp (s * IZR (Z.abs (x - x'))) * laplace s (y - x')) *
            (exp (s * IZR (distance xs xs')) * laplaces xs' ys)) by ring.
    apply Rmult_le_compat; auto using laplaces_nonneg. left; apply laplace_pos.
Qed.
(* the bound is attained where no noise fell *)
Lemma laplaces_centre xs : forall xs', length xs = length xs' ->
  laplaces xs xs = exp (s * IZR (distance xs xs')) * laplaces xs' xs.
Proof.
  clear Hs. induction xs as [|x xs IH]; intros [|x' xs'] L; simpl in *; try discriminate.
  - rewrite Rmult_0_r, exp_0. lra.
  - rewrite (IH xs') by lia. rewrite plus_IZR, Rmult_plus_distr_l, exp_plus.
    replace (laplace s (x - x)) with (exp (s * IZR (Z.abs (x - x'))) * laplace s (x - x')). ring.
    unfold laplace. rewrite Z.sub_diag. simpl (Z.abs 0). rewrite Rmult_0_r, Ropp_0, exp_0.
    rewrite (Rmult_comm (exp _)), Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0. reflexivity.
Qed.
End Laplace.
Notation laplaces s := (noises (laplace s)).

Lemma distance_psum f g S : distance (map f S) (map g S) = psum S (fun a => Z.abs (f a - g a)%Z).
Proof. unfold psum; induction S; simpl; auto. rewrite IHS; auto. Qed.
Lemma as_map v : v = map (coord v) (seq 0 (length v)).
Proof.
  assert (G : forall l r, map (coord (l ++ r)) (seq (length l) (length r)) = r).
  { intros l r. revert l. induction r as [|x r IH]; intros l; auto. cbn [length seq map]. f_equal.
    - unfold coord. rewrite app_nth2, Nat.sub_diag by lia. reflexivity.
    - specialize (IH (l ++ [x])). rewrite app_length, Nat.add_comm, <- app_assoc in IH. exact IH. }
  symmetry. apply (G [] v).
Qed.

(* ---- Delta_1 ---- *)
Definition l1_bound (r : adjacency) (b w : Z) : Z :=
  match r with add_drop => b | replacement => if (w =? 1)%Z then b else (2 * b)%Z end.
Lemma moved_distance r b w v v' : (0 <= b)%Z -> py_len v = Z.max w 0 -> py_len v' = Z.max w 0 -> moved r b w v v' ->
  (distance v v' <= l1_bound r b w)%Z.
Proof.
  intros Hb L L' M. assert (E : length v = length v') by (unfold py_len in *; lia).
  rewrite (as_map v), (as_map v'), <- E, distance_psum. set (S := seq 0 (length v)).
  assert (I : atoms_below (length v) S) by (split; [apply seq_NoDup|intros a A; apply in_seq in A; lia]).
  destruct r; unfold l1_bound, moved in *.
  - destruct M as [(f & P & G)|(f & P & G)]; assert (K := psum_piece b _ f S (P _) I);
      assert (N := fun j => proj1 (P 0%nat) j).
    + rewrite (psum_ext S _ f). lia. intros j. rewrite G. specialize (N j). lia.
    + rewrite (psum_ext S _ f). lia. intros j. rewrite G. specialize (N j). lia.
  - destruct M as (f & g & P & Q & G). assert (K := psum_piece b _ f S (P _) I).
    assert (K' := psum_piece b _ g S (Q _) I).
    assert (N := fun j => proj1 (P 0%nat) j). assert (N' := fun j => proj1 (Q 0%nat) j).
    destruct (Z.eqb_spec w 1) as [->|_].
    + assert (O : length v = 1%nat) by (unfold py_len in *; lia). unfold S in *. rewrite O in *. simpl in *.
      rewrite G. specialize (N 0%nat); specialize (N' 0%nat). lia.
    + assert (H : (psum S (fun a => Z.abs (coord v a - coord v' a)) <= psum S f + psum S g)%Z).
      { rewrite <- psum_plus. apply psum_le2. intros j. rewrite G. specialize (N j); specialize (N' j). lia. }
      lia.
Qed.

(* ---- the release in laplace mode, from raw records on ---- *)
Section FullSketch.
Variables (b w : Z) (s : R).
Hypothesis Hb : (0 <= b)%Z.
Hypothesis Hs : 0 < s.
Definition noisy_sketch (D : list (list Z)) : list Z -> R := laplaces s (sketch D b w).
Definition noisy_user_sketch (D : list record) : list Z -> R := laplaces s (user_sketch D b w).
Lemma noisy_moved r v v' : py_len v = Z.max w 0 -> py_len v' = Z.max w 0 -> moved r b w v v' ->
  close (s * IZR (l1_bound r b w)) (laplaces s v) (laplaces s v').
Proof.
  intros L L' M. assert (E : length v = length v') by (unfold py_len in *; lia).
  split; [|split; [|split]]; try (apply laplaces_law; auto).
  - apply ratio_weaken with (s * IZR (distance v v')).
    + intros; apply laplaces_nonneg; auto.
    + apply Rmult_le_compat_l; [lra|]. apply IZR_le, moved_distance; auto.
    + apply laplaces_ratio; auto.
  - apply ratio_weaken with (s * IZR (distance v' v)).
    + intros; apply laplaces_nonneg; auto.
    + apply Rmult_le_compat_l; [lra|]. apply IZR_le, moved_distance; auto. apply moved_sym; auto.
    + apply laplaces_ratio; auto.
Qed.
Theorem laplace_record r D D' : record_adjacent r D D' ->
  close (s * IZR (l1_bound r b w)) (noisy_sketch D) (noisy_sketch D').
Proof. intros A. apply noisy_moved; try apply sketch_length. apply record_moved; auto. Qed.
Theorem laplace_user r D D' : user_adjacent r D D' ->
  close (s * IZR (l1_bound r b w)) (noisy_user_sketch D) (noisy_user_sketch D').
Proof. intros A. apply noisy_moved; try apply sketch_length. apply user_moved; auto. Qed.
End FullSketch.

(* the plan: the L highest atoms of the noisy vector with their noisy masses, by the kernel's own function *)
Definition full_plan (L : Z) (y : list Z) : list (Z * Z) := map (fun a => (a, py_index y a)) (highest y L).
Theorem laplace_plan {Y} L (f : list (Z * Z) -> Y) eps p p' : close eps p p' ->
  indistinct eps (fun y => f (full_plan L y)) p p'.
Proof. apply close_events. Qed.
(* calibration: scale Delta_1 / epsilon costs epsilon *)
Theorem laplace_calibrated r b w eps : (0 < b)%Z -> eps / IZR (l1_bound r b w) * IZR (l1_bound r b w) = eps.
Proof.
  intros Hb. assert (0 < l1_bound r b w)%Z by (destruct r; unfold l1_bound; [|destruct (w =? 1)%Z]; lia).
  apply IZR_lt in H. field. lra.
Qed.
