(* The Gaussian, rounded to integers: a law, and what a shift of its centre costs.

   bell area area_derivative                the bell curve, and its integral from 0 on
   whole area_bounded                       the total area; it is finite, and its value is not needed
   rounded rounded_law                      the noise: the share of the area over each integer's cell, total mass one
   young                                    (k + 1) x y^k <= x^(k + 1) + k y^(k + 1)
   cell_young rounded_shift                 the cost of a shift, at every integer order of Renyi divergence
   rounded_by_inversion                     the sampler's F with a fair sign gives this law *)
From Coq Require Import Reals Lra Lia List ZArith Ranalysis5.
From DPSPIN Require Import Probability Laplace.
Import ListNotations.
Open Scope R_scope.

(* v: the variance before rounding, sigma^2 in lattice units *)
Definition bell (v x : R) : R := exp (- (x * x) / (2 * v)).
Lemma bell_continuous v : continuity (bell v).
Proof.
  unfold bell. apply (continuity_comp (fun x => - (x * x) / (2 * v)) exp).
  - unfold Rdiv. apply continuity_mult; [|apply continuity_const; intros x y; reflexivity].
    apply continuity_opp, continuity_mult; apply derivable_continuous, derivable_id.
  - apply derivable_continuous, derivable_exp.
Qed.
Lemma integrable v a b : Riemann_integrable (bell v) a b.
Proof.
  destruct (Rle_dec a b) as [H|H].
  - apply continuity_implies_RiemannInt; auto. intros x _. apply bell_continuous.
  - apply RiemannInt_P1, continuity_implies_RiemannInt; [lra|]. intros x _. apply bell_continuous.
Qed.
Definition area (v x : R) : R := RiemannInt (integrable v 0 x).
Lemma area_derivative v x : derivable_pt_lim (area v) x (bell v x).
Proof.
  set (M := Rabs x + 1). assert (X := Rabs_pos x). assert (X1 := Rle_abs x). assert (X2 := Rle_abs (- x)).
  rewrite Rabs_Ropp in X2. assert (H : - M <= M) by (unfold M; lra).
  assert (C0 : forall y, - M <= y <= M -> continuity_pt (bell v) y) by (intros; apply bell_continuous).
  set (P := primitive H (FTC_P1 H C0)).
  assert (E : forall y, - M < y < M -> P y - P 0 = area v y).
  { intros y Y. assert (Q : forall y, - M <= y <= M -> P y = RiemannInt (integrable v (- M) y)).
    { intros z Z. unfold P, primitive. destruct (Rle_dec (- M) z); [|lra]. destruct (Rle_dec z M); [|lra].
      apply RiemannInt_P5. }
    rewrite !Q by (unfold M in *; lra).
    rewrite <- (RiemannInt_P26 (integrable v (- M) 0) (integrable v 0 y) (integrable v (- M) y)).
    unfold area. lra. }
  apply (derivable_pt_lim_locally_ext (fun y => P y - P 0) (area v) x (- M) M); auto.
  - unfold M; lra.
  - replace (bell v x) with (bell v x - 0) by lra. apply derivable_pt_lim_minus.
    + apply RiemannInt_P28. unfold M; lra.
    + apply derivable_pt_lim_const.
Qed.

(* a function whose derivative is not negative does not fall *)
Lemma rises (F f : R -> R) a b : a <= b -> (forall x, a <= x <= b -> derivable_pt_lim F x (f x)) ->
  (forall x, a <= x <= b -> 0 <= f x) -> F a <= F b.
Proof.
  intros [L|E] D P; [|subst; lra]. destruct (MVT_cor2 F f a b L D) as (c & K & C).
  assert (0 <= f c) by (apply P; lra). nra.
Qed.
Lemma area_shift v c x : derivable_pt_lim (fun t => area v (t + c)) x (bell v (x + c)).
Proof.
  replace (bell v (x + c)) with (bell v (x + c) * (1 + 0)) by lra.
  apply (derivable_pt_lim_comp (fun t => t + c) (area v)).
  - apply derivable_pt_lim_plus. apply derivable_pt_lim_id. apply derivable_pt_lim_const.
  - apply area_derivative.
Qed.
Lemma negated x : derivable_pt_lim (fun t => - 1 * t) x (- 1).
Proof.
  assert (K := derivable_pt_lim_scal id (- 1) x 1 (derivable_pt_lim_id x)). rewrite Rmult_1_r in K. exact K.
Qed.
Lemma area_odd v x : area v (- x) = - area v x.
Proof.
  set (F := fun t => area v t + area v (- 1 * t)).
  assert (Z : area v 0 = 0) by (apply RiemannInt_P9).
  assert (D : forall t, derivable_pt_lim F t 0).
  { intros t. replace 0 with (bell v t + bell v (- 1 * t) * (- 1)).
    - apply derivable_pt_lim_plus; [apply area_derivative|].
      apply (derivable_pt_lim_comp (fun t => - 1 * t) (area v)); [apply negated|apply area_derivative].
    - unfold bell. replace (- 1 * t * (- 1 * t)) with (t * t) by ring. ring. }
  assert (K : forall a b, a <= b -> F a = F b).
  { intros a b [L|E]; [|subst; auto]. destruct (MVT_cor2 F (fun _ => 0) a b L) as (c & H & _); auto. lra. }
  assert (H : F x = F 0) by (destruct (Rle_dec x 0); [apply K; lra|symmetry; apply K; lra]).
  unfold F in H. rewrite Rmult_0_r, Z in H. replace (- x) with (- 1 * x) by lra. lra.
Qed.

Section Rounded.
Variable v : R.
Hypothesis Hv : 0 < v.
Lemma area_rises a b : a < b -> area v a < area v b.
Proof.
  intros L. destruct (MVT_cor2 (area v) (bell v) a b L) as (c & K & _); [intros; apply area_derivative|].
  assert (0 < bell v c * (b - a)) by (apply Rmult_lt_0_compat; [apply exp_pos|lra]). lra.
Qed.
Lemma area_bounded x : 0 <= x -> area v x <= exp (v / 2).
Proof.
  intros X. set (e := exp (v / 2)). set (F := fun t => - e * exp (- 1 * t) - area v t).
  assert (H : F 0 <= F x).
  { apply (rises F (fun t => - e * (exp (- 1 * t) * - 1) - bell v t)); auto.
    - intros t _. apply derivable_pt_lim_minus; [|apply area_derivative].
      apply (derivable_pt_lim_scal (fun t => exp (- 1 * t)) (- e)).
      apply (derivable_pt_lim_comp (fun t => - 1 * t) exp); [apply negated|apply derivable_pt_lim_exp].
    - intros t _. replace (- e * (exp (- 1 * t) * - 1)) with (e * exp (- 1 * t)) by ring. unfold e, bell.
      rewrite <- exp_plus. assert (K : - (t * t) / (2 * v) <= v / 2 + - 1 * t).
      { apply Rmult_le_reg_r with (2 * v); [lra|].
        replace (- (t * t) / (2 * v) * (2 * v)) with (- (t * t)) by (field; lra).
        replace ((v / 2 + - 1 * t) * (2 * v)) with (v * v - 2 * (t * v)) by field. assert (Q := Rle_0_sqr (t - v)).
        unfold Rsqr in Q. lra. }
      apply exp_le in K. lra. }
  unfold F in H. rewrite Rmult_0_r, exp_0 in H. replace (area v 0) with 0 in H by (symmetry; apply RiemannInt_P9).
  assert (P : 0 < e * exp (- 1 * x)) by (apply Rmult_lt_0_compat; apply exp_pos). lra.
Qed.
Lemma half_exists : { y | is_lub (fun y => exists x, 0 <= x /\ y = area v x) y }.
Proof.
  apply completeness.
  - exists (exp (v / 2)). intros y (x & X & ->). apply area_bounded; auto.
  - exists (area v 0), 0. split; auto. lra.
Qed.
End Rounded.
(* the area under the whole curve *)
Definition whole (v : R) : R :=
  match Rlt_dec 0 v with left H => 2 * proj1_sig (half_exists v H) | right _ => 1 end.
Definition rounded (v : R) (z : Z) : R := (area v (IZR z + / 2) - area v (IZR z - / 2)) / whole v.

Section Law.
Variable v : R.
Hypothesis Hv : 0 < v.
Lemma whole_half : is_lub (fun y => exists x, 0 <= x /\ y = area v x) (whole v / 2).
Proof.
  unfold whole. destruct (Rlt_dec 0 v) as [H|]; [|contradiction].
  replace (2 * proj1_sig (half_exists v H) / 2) with (proj1_sig (half_exists v H)) by field. apply proj2_sig.
Qed.
Lemma whole_pos : 0 < whole v.
Proof.
  assert (K : area v 1 <= whole v / 2) by (apply whole_half; exists 1; split; [lra|auto]).
  assert (A := area_rises v 0 1 ltac:(lra)). replace (area v 0) with 0 in A by (symmetry; apply RiemannInt_P9). lra.
Qed.
Lemma rounded_pos z : 0 < rounded v z.
Proof.
  apply Rdiv_lt_0_compat; [|apply whole_pos]. assert (A := area_rises v (IZR z - / 2) (IZR z + / 2) ltac:(lra)). lra.
Qed.
Lemma rounded_span n : lsum (span n) (rounded v) = 2 * area v (INR n + / 2) / whole v.
Proof.
  assert (W := whole_pos). induction n; cbn [span].
  - simpl. unfold rounded. replace (0 - / 2) with (- (0 + / 2)) by lra. rewrite area_odd. field. lra.
  - rewrite lsum_app, IHn. unfold lsum; cbn [fold_right]. unfold rounded. rewrite opp_IZR, <- INR_IZR_INZ.
    replace (- INR (S n) + / 2) with (- (INR n + / 2)) by (rewrite S_INR; lra).
    replace (- INR (S n) - / 2) with (- (INR (S n) + / 2)) by lra. rewrite !area_odd.
    replace (INR (S n) - / 2) with (INR n + / 2) by (rewrite S_INR; lra). field. lra.
Qed.
Theorem rounded_law : law (rounded v).
Proof.
  assert (W := whole_pos). destruct whole_half as (U & L). apply law_intro.
  - intros z. left. apply rounded_pos.
  - intros l N. destruct (span_cover l) as (n & C). apply Rle_trans with (lsum (span n) (rounded v)).
    + apply lsum_incl; auto. intros z. left. apply rounded_pos.
    + rewrite rounded_span. assert (K : area v (INR n + / 2) <= whole v / 2).
      { apply U. exists (INR n + / 2). split; auto. assert (P := pos_INR n). lra. }
      apply Rmult_le_reg_r with (whole v); auto.
      replace (2 * area v (INR n + / 2) / whole v * whole v) with (2 * area v (INR n + / 2)) by (field; lra). lra.
  - intros u H. assert (K : whole v / 2 <= u * whole v / 2).
    { apply L. intros y (x & X & ->). destruct (archimed x) as (A & _). set (n := Z.to_nat (up x)).
      assert (Xn : x < INR n + / 2).
      { unfold n. rewrite INR_IZR_INZ, Z2Nat.id. lra. apply le_IZR. lra. }
      specialize (H (span n) (span_nodup n)). rewrite rounded_span in H. assert (R := area_rises v _ _ Xn).
      apply Rmult_le_compat_r with (r := whole v) in H; [|lra].
      replace (2 * area v (INR n + / 2) / whole v * whole v) with (2 * area v (INR n + / 2)) in H by (field; lra).
      lra. }
    apply Rmult_le_reg_r with (whole v); auto. lra.
Qed.

(* ---- the cost of a shift by the integer d, at order k + 1 ---- *)
Lemma young x y k : 0 <= x -> 0 <= y -> (INR k + 1) * (x * y ^ k) <= x ^ S k + INR k * y ^ S k.
Proof.
  intros X Y. induction k as [|k IH]. simpl. lra.
  assert (M : 0 <= (x - y) * (x ^ S k - y ^ S k)).
  { destruct (Rle_dec x y) as [L|L].
    - assert (x ^ S k <= y ^ S k) by (apply pow_incr; lra). nra.
    - assert (y ^ S k <= x ^ S k) by (apply pow_incr; lra). nra. }
  apply Rmult_le_compat_r with (r := y) in IH; auto. rewrite S_INR. change (x ^ S (S k)) with (x * x ^ S k).
  change (y ^ S (S k)) with (y * y ^ S k). replace (x * y ^ S k) with (x * y ^ k * y) by (simpl; ring).
  replace (y ^ S k) with (y * y ^ k) in * by reflexivity. nra.
Qed.
Definition toll (k : nat) (d : R) : R := exp (INR k * (INR k + 1) * d / (2 * v)).
Lemma bell_identity k d t :
  bell v t ^ S k = toll k (d * d) * bell v (t + - (INR k * d)) * bell v (t + d) ^ k.
Proof.
  assert (P : forall x n, exp x ^ n = exp (INR n * x)).
  { intros x n. induction n. simpl; rewrite Rmult_0_l, exp_0; auto. rewrite S_INR. simpl. rewrite IHn, <- exp_plus.
    f_equal; ring. }
  unfold bell, toll. rewrite !P, <- !exp_plus. f_equal. rewrite S_INR. field. lra.
Qed.
Lemma cell_young k (d a b lambda : R) : a <= b -> 0 <= lambda ->
  (INR k + 1) * lambda ^ k * (area v b - area v a) <=
  toll k (d * d) * (area v (b + - (INR k * d)) - area v (a + - (INR k * d))) +
  INR k * lambda ^ S k * (area v (b + d) - area v (a + d)).
Proof.
  intros L N. set (c1 := toll k (d * d)). set (c2 := INR k * lambda ^ S k). set (c3 := (INR k + 1) * lambda ^ k).
  set (F := fun t => c1 * area v (t + - (INR k * d)) + c2 * area v (t + d) - c3 * area v t).
  assert (K : F a <= F b).
  { apply (rises F (fun t => c1 * bell v (t + - (INR k * d)) + c2 * bell v (t + d) - c3 * bell v t)); auto.
    - intros t _. apply derivable_pt_lim_minus; [apply derivable_pt_lim_plus|].
      + apply (derivable_pt_lim_scal (fun t => area v (t + - (INR k * d)))), area_shift.
      + apply (derivable_pt_lim_scal (fun t => area v (t + d))), area_shift.
      + apply (derivable_pt_lim_scal (area v)), area_derivative.
    - intros t _. assert (B : 0 < bell v t) by apply exp_pos. assert (G : 0 < bell v (t + d)) by apply exp_pos.
      assert (I := bell_identity k d t). fold c1 in I.
      assert (Y := young (bell v t) (lambda * bell v (t + d)) k ltac:(lra) ltac:(nra)).
      rewrite !Rpow_mult_distr, I in Y. assert (Q : 0 < bell v (t + d) ^ k) by (apply pow_lt; auto).
      apply Rmult_le_reg_r with (bell v (t + d) ^ k); auto. rewrite Rmult_0_l. unfold c2, c3.
      change (bell v (t + d) ^ S k) with (bell v (t + d) * bell v (t + d) ^ k) in Y. lra. }
  unfold F in K. lra.
Qed.
Lemma rounded_shift k (u d : Z) : rounded v u ^ S k <=
  toll k (IZR (d * d)) * rounded v (u - Z.of_nat k * d) * rounded v (u + d) ^ k.
Proof.
  assert (W := whole_pos). assert (P := rounded_pos u). assert (Q := rounded_pos (u + d)).
  set (p := rounded v u) in *. set (q := rounded v (u + d)) in *. set (h := rounded v (u - Z.of_nat k * d)).
  assert (K := cell_young k (IZR d) (IZR u - / 2) (IZR u + / 2) (p / q) ltac:(lra)
    ltac:(left; apply Rdiv_lt_0_compat; auto)).
  replace (area v (IZR u + / 2) - area v (IZR u - / 2)) with (p * whole v) in K by (unfold p, rounded; field; lra).
  replace (area v (IZR u + / 2 + IZR d) - area v (IZR u - / 2 + IZR d)) with (q * whole v) in K.
  2:{ unfold q, rounded. rewrite plus_IZR. replace (IZR u + IZR d + / 2) with (IZR u + / 2 + IZR d) by ring.
      replace (IZR u + IZR d - / 2) with (IZR u - / 2 + IZR d) by ring. field; lra. }
  replace (area v (IZR u + / 2 + - (INR k * IZR d)) - area v (IZR u - / 2 + - (INR k * IZR d))) with (h * whole v) in K.
  2:{ unfold h, rounded. rewrite minus_IZR, mult_IZR, <- INR_IZR_INZ.
      replace (IZR u - INR k * IZR d + / 2) with (IZR u + / 2 + - (INR k * IZR d)) by ring.
      replace (IZR u - INR k * IZR d - / 2) with (IZR u - / 2 + - (INR k * IZR d)) by ring. field; lra. }
  rewrite mult_IZR. set (c := toll k (IZR d * IZR d)) in *.
  assert (Z : (p / q) ^ k * p <= c * h).
  { replace ((p / q) ^ S k * (q * whole v)) with ((p / q) ^ k * p * whole v) in K by (simpl; field; lra).
    replace (INR k * (p / q) ^ S k * (q * whole v)) with (INR k * ((p / q) ^ k * p * whole v)) in K
      by (simpl; field; lra).
    apply Rmult_le_reg_r with (whole v); auto. lra. }
  assert (R : 0 < q ^ k) by (apply pow_lt; auto). apply Rmult_le_compat_r with (r := q ^ k) in Z; [|lra].
  replace ((p / q) ^ k * p * q ^ k) with (p ^ S k) in Z; auto.
  unfold Rdiv. rewrite Rpow_mult_distr.
  replace (p ^ k * (/ q) ^ k * p * q ^ k) with (p ^ S k * ((/ q) ^ k * q ^ k)) by (simpl; ring).
  rewrite <- Rpow_mult_distr, Rinv_l, pow1 by lra. ring.
Qed.

(* ---- the sampler: F of the magnitude, and a fair sign ---- *)
Theorem rounded_by_inversion : let F k := 2 * area v (INR k + / 2) / whole v in rounded v 0 = F 0%nat /\ forall k,
  rounded v (Z.of_nat (S k)) = (F (S k) - F k) / 2 /\ rounded v (- Z.of_nat (S k)) = (F (S k) - F k) / 2.
Proof.
  assert (W := whole_pos). intros F. split; [|split].
  - unfold rounded, F. simpl (INR 0). replace (0 - / 2) with (- (0 + / 2)) by lra. rewrite area_odd. field. lra.
  - unfold rounded, F. rewrite <- INR_IZR_INZ. replace (INR (S k) - / 2) with (INR k + / 2) by (rewrite S_INR; lra).
    field. lra.
  - unfold rounded, F. rewrite opp_IZR, <- INR_IZR_INZ.
    replace (- INR (S k) + / 2) with (- (INR k + / 2)) by (rewrite S_INR; lra).
    replace (- INR (S k) - / 2) with (- (INR (S k) + / 2)) by lra. rewrite !area_odd. field. lra.
Qed.
End Law.
