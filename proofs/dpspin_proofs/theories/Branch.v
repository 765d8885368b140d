(* What admission has left to lose, in closed form: the two probabilities so far, and what each side has not spent.

   first_branch value                       the closed form, one branch for each side that may be ahead
   first_branch_even value_flip             both branches agree where neither is ahead; the form from the other side
   early_term late_rise                     one atom of one round, and how the loss falls with the distance *)
From Coq Require Import Reals Lra Lia.
From DPSPIN Require Import Bell Hoelder.
Open Scope R_scope.

(* p and q: the two probabilities so far; A and B: exp (eta mass), for the mass that has not been spent, on either
  side *)
Definition first_branch (k : nat) (p q A B : R) : R :=
  Rmax 0 (root (S (S k)) (A * B ^ S k * p) - root (S (S k)) q) ^ S (S k) / ((A * B - 1) * (B - 1) ^ k).
Definition value (n : nat) (p q A B : R) : R :=
  match n with
  | O => Rmax 0 (p - q)
  | S k => if Rle_dec (A * p) (B * q) then first_branch k p q A B else p - q + first_branch k q p B A
  end.
Lemma root_mono k x y : 0 <= x -> x <= y -> root (S k) x <= root (S k) y.
Proof.
  intros X L. apply Rnot_lt_le. intros H. assert (M := power_lt k _ _ (root_nonneg (S k) y) H).
  rewrite !root_power in M by lra. lra.
Qed.
Lemma first_branch_zero k p q A B : 0 <= p -> 0 <= q -> 1 <= A -> 1 <= B -> A * B ^ S k * p <= q ->
  first_branch k p q A B = 0.
Proof.
  intros Hp Hq HA HB L. unfold first_branch. assert (0 <= A * B ^ S k * p).
  { apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|apply pow_le; lra]. }
  assert (K := root_mono (S k) _ _ H L). rewrite Rmax_left by lra. rewrite pow_i by lia. unfold Rdiv. ring.
Qed.
Lemma first_branch_nonneg k p q A B : 1 <= A -> 1 < B -> 0 <= first_branch k p q A B.
Proof.
  intros HA HB. unfold first_branch. apply Rmult_le_pos. apply pow_le, Rmax_l. left. apply Rinv_0_lt_compat.
  apply Rmult_lt_0_compat; [nra|apply pow_lt; lra].
Qed.
(* where both sides are as far, both forms agree *)
Lemma first_branch_even k A B t : 0 <= t -> 1 <= A -> 1 <= B ->
  first_branch k (B * t) (A * t) A B = A * t * (B - 1) * (B - 1) / (A * B - 1).
Proof.
  intros T HA HB. destruct HB as [HB|<-].
  - assert (R1 : root (S (S k)) (A * B ^ S k * (B * t)) = root (S (S k)) (A * t) * B).
    { apply root_unique.
      - apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow_le; lra]|apply Rmult_le_pos; lra].
      - apply Rmult_le_pos; [apply root_nonneg|lra].
      - rewrite Rpow_mult_distr, root_power by (apply Rmult_le_pos; lra). simpl. ring. }
    unfold first_branch. rewrite R1. assert (R0 := root_nonneg (S (S k)) (A * t)).
    replace (root (S (S k)) (A * t) * B - root (S (S k)) (A * t)) with (root (S (S k)) (A * t) * (B - 1)) by ring.
    rewrite Rmax_right by (apply Rmult_le_pos; lra). rewrite Rpow_mult_distr, root_power by (apply Rmult_le_pos; lra).
    simpl. field. repeat split; try nra; apply pow_nonzero; lra.
  - assert (Z : first_branch k (1 * t) (A * t) A 1 = 0).
    { apply first_branch_zero; [lra|apply Rmult_le_pos; lra|lra|lra|]. rewrite pow1. lra. }
    rewrite Z. unfold Rdiv. ring.
Qed.
Lemma value_flip n p q A B : 0 <= p -> 0 <= q -> 1 <= A -> 1 <= B ->
  value n p q A B = p - q + value n q p B A.
Proof.
  intros Hp Hq HA HB. destruct n as [|k]; cbn [value].
  - unfold Rmax. destruct (Rle_dec 0 (p - q)), (Rle_dec 0 (q - p)); lra.
  - destruct (Rle_dec (A * p) (B * q)) as [L|L], (Rle_dec (B * q) (A * p)) as [L'|L']; try lra.
    assert (E : A * p = B * q) by lra. set (t := p / B).
    assert (T : 0 <= t) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
    assert (Ep : p = B * t) by (unfold t; field; lra). assert (Eq : q = A * t) by (unfold t; field_simplify_eq; lra).
    rewrite Ep, Eq, !first_branch_even by auto. destruct (Req_dec (A * B) 1) as [Z|Z].
    + assert (A = 1) by nra. assert (B = 1) by nra. subst A B. unfold Rdiv. ring.
    + field. lra.
Qed.

(* ---- one round, seen from the first branch ---- *)
Lemma branch_key A B x y : 1 <= x <= A -> 1 <= y <= B ->
  x * ((B - y) * (B - y)) * (A * B - 1) <= (B * x - y) * (B - 1) * (A * B - x * y).
Proof.
  intros (X1 & X2) (Y1 & Y2).
  assert (E : (B * x - y) * (B - 1) * (A * B - x * y) - x * ((B - y) * (B - y)) * (A * B - 1) =
    B * ((y - 1) * (B - y) * ((A - x) + A * (x - 1)) + y * (B - 1) * ((x - 1) * (A - x)))) by ring.
  assert (P1 : 0 <= (y - 1) * (B - y)) by (apply Rmult_le_pos; lra).
  assert (P2 : 0 <= (A - x) + A * (x - 1)) by (assert (0 <= A * (x - 1)) by (apply Rmult_le_pos; lra); lra).
  assert (P3 : 0 <= y * (B - 1)) by (apply Rmult_le_pos; lra).
  assert (P4 : 0 <= (x - 1) * (A - x)) by (apply Rmult_le_pos; lra).
  assert (0 <= B * ((y - 1) * (B - y) * ((A - x) + A * (x - 1)) + y * (B - 1) * ((x - 1) * (A - x)))).
  { apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto. }
  lra.
Qed.
Lemma early_term k P Q A B w x y : 0 <= P -> 0 <= Q -> 1 <= x <= A -> 1 <= y <= B -> 1 < B -> 0 <= w ->
  A * P <= B * Q ->
  first_branch k (w * x * P) (w * y * Q) (A / x) (B / y) <= w * (B * x - y) *
    (Rmax 0 (root (S (S k)) (A * B ^ S k * P) - root (S (S k)) Q) ^ S (S k) / ((A * B - 1) * (B - 1) ^ S k)).
Proof.
  intros HP HQ X Y HB W Early. set (N := S (S k)). set (c := root N (A * B ^ S k * P)). set (d := root N Q).
  assert (A0 : 0 <= A * B ^ S k * P) by (apply Rmult_le_pos; auto; apply Rmult_le_pos; [lra|apply pow_le; lra]).
  assert (c0 : 0 <= c) by apply root_nonneg. assert (d0 : 0 <= d) by apply root_nonneg.
  assert (Cp : c ^ N = A * B ^ S k * P) by (apply root_power; auto).
  assert (Dp : d ^ N = Q) by (apply root_power; auto).
  assert (AB : 0 < A * B - 1) by nra. assert (B1 : 0 < (B - 1) ^ S k) by (apply pow_lt; lra).
  assert (xy : y <= B * x) by nra.
  assert (RHS : 0 <= w * (B * x - y) * (Rmax 0 (c - d) ^ N / ((A * B - 1) * (B - 1) ^ S k))).
  { apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. apply Rmult_le_pos; [apply pow_le, Rmax_l|].
    left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto. }
  assert (yk : 0 < y ^ S k) by (apply pow_lt; lra). set (g := root N (w / y ^ S k)).
  assert (G0 : 0 <= g) by apply root_nonneg.
  assert (G : g ^ N = w / y ^ S k).
  { apply root_power. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; auto. }
  assert (cd : c <= d * B).
  { apply Rnot_lt_le. intros K. assert (M := power_lt (S k) (d * B) c ltac:(apply Rmult_le_pos; lra) K). fold N in M.
    rewrite Rpow_mult_distr, Dp, Cp in M. assert (0 < B ^ S k) by (apply pow_lt; lra).
    replace (Q * B ^ N) with (B ^ S k * (B * Q)) in M by (unfold N; simpl; ring).
    replace (A * B ^ S k * P) with (B ^ S k * (A * P)) in M by ring.
    assert (B ^ S k * (A * P) <= B ^ S k * (B * Q)) by (apply Rmult_le_compat_l; lra). lra. }
  unfold first_branch. fold N.
  replace (root N (A / x * (B / y) ^ S k * (w * x * P))) with (g * c).
  2:{ symmetry. apply root_unique.
      - apply Rmult_le_pos; [|apply Rmult_le_pos; auto; apply Rmult_le_pos; lra].
        apply Rmult_le_pos; [|apply pow_le]; apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; lra.
      - apply Rmult_le_pos; auto.
      - fold N. rewrite Rpow_mult_distr, G, Cp. unfold Rdiv. rewrite (Rpow_mult_distr B), pow_inv. field. lra. }
  replace (root N (w * y * Q)) with (g * (d * y)).
  2:{ symmetry. apply root_unique.
      - apply Rmult_le_pos; auto. apply Rmult_le_pos; lra.
      - apply Rmult_le_pos; auto. apply Rmult_le_pos; lra.
      - fold N. rewrite !Rpow_mult_distr, G, Dp. unfold N. simpl. field. split; [apply pow_nonzero; lra|lra]. }
  replace (g * c - g * (d * y)) with (g * (c - d * y)) by ring.
  destruct (Rle_dec c (d * y)) as [S0|S0].
  { rewrite Rmax_left by nra. unfold N at 1. rewrite pow_i by lia. unfold Rdiv at 1. rewrite Rmult_0_l. exact RHS. }
  assert (yB : y < B) by nra.
  rewrite (Rmax_right 0 (g * (c - d * y))) by nra. rewrite Rpow_mult_distr, G. rewrite Rmax_right by nra.
  set (h := (c - d) / (B - 1)).
  assert (h0 : 0 <= h) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]).
  assert (Le : c - d * y <= h * (B - y)).
  { apply Rmult_le_reg_r with (B - 1); [lra|]. unfold h.
    replace ((c - d) / (B - 1) * (B - y) * (B - 1)) with ((c - d) * (B - y)) by (field; lra).
    assert (0 <= (y - 1) * (d * B - c)) by (apply Rmult_le_pos; lra). nra. }
  assert (Pw : (c - d * y) ^ N <= (h * (B - y)) ^ N) by (apply pow_incr; lra).
  assert (Bk : 0 < (B - y) ^ k) by (apply pow_lt; lra). assert (By : 0 < A * B - x * y) by nra.
  assert (hN : 0 <= h ^ N) by (apply pow_le; auto).
  apply Rle_trans with (w * x * ((h * (B - y)) ^ N / ((A * B - x * y) * (B - y) ^ k))).
  - replace (w / y ^ S k * (c - d * y) ^ N / ((A / x * (B / y) - 1) * (B / y - 1) ^ k))
      with (w * x * ((c - d * y) ^ N / ((A * B - x * y) * (B - y) ^ k))).
    + apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat_r; auto.
      left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto.
    + replace (B / y - 1) with ((B - y) * / y) by (field; lra). rewrite (Rpow_mult_distr (B - y)), pow_inv.
      replace (A / x * (B / y) - 1) with ((A * B - x * y) / (x * y)) by (field; split; lra). simpl (y ^ S k). field.
      assert (y ^ k <> 0) by (apply pow_nonzero; lra). repeat split; auto; lra.
  - rewrite Rpow_mult_distr. replace ((B - y) ^ N) with ((B - y) * (B - y) * (B - y) ^ k) by (unfold N; simpl; ring).
    replace (c - d) with (h * (B - 1)) by (unfold h; field; lra). rewrite Rpow_mult_distr.
    replace ((B - 1) ^ N) with ((B - 1) * (B - 1) ^ S k) by (unfold N; simpl; ring).
    replace (w * x * (h ^ N * ((B - y) * (B - y) * (B - y) ^ k) / ((A * B - x * y) * (B - y) ^ k)))
      with (w * h ^ N * (x * ((B - y) * (B - y)) / (A * B - x * y))) by (field; split; lra).
    replace (w * (B * x - y) * (h ^ N * ((B - 1) * (B - 1) ^ S k) / ((A * B - 1) * (B - 1) ^ S k)))
      with (w * h ^ N * ((B * x - y) * (B - 1) / (A * B - 1))) by (field; split; lra).
    apply Rmult_le_compat_l; [apply Rmult_le_pos; auto|].
    apply Rmult_le_reg_r with ((A * B - x * y) * (A * B - 1)); [apply Rmult_lt_0_compat; auto|].
    replace (x * ((B - y) * (B - y)) / (A * B - x * y) * ((A * B - x * y) * (A * B - 1)))
      with (x * ((B - y) * (B - y)) * (A * B - 1)) by (field; lra).
    replace ((B * x - y) * (B - 1) / (A * B - 1) * ((A * B - x * y) * (A * B - 1)))
      with ((B * x - y) * (B - 1) * (A * B - x * y)) by (field; lra).
    apply branch_key; auto.
Qed.
(* the late case: what is lost beyond p - q falls with the distance *)
Lemma late_rise N A M e s : 1 <= A -> 0 < e -> e <= s -> s <= A * e -> (A * e) ^ S N <= M ->
  (A * M / s ^ S N - 1) * (s - e) ^ S N <= (A * M / (A * e) ^ S N - 1) * (A * e - e) ^ S N.
Proof.
  intros HA He Hs Hs' HM. set (F := fun t => (A * M / t ^ S N - 1) * (t - e) ^ S N).
  set (G := fun t => A * M * (1 - e / t) ^ S N - (t - e) ^ S N).
  assert (E : forall t, 0 < t -> F t = G t).
  { intros t T. unfold F, G. replace (1 - e / t) with ((t - e) * / t) by (field; lra).
    rewrite Rpow_mult_distr, pow_inv. field. apply pow_nonzero. lra. }
  change (F s <= F (A * e)). rewrite !E by nra.
  apply (rises G (fun t => A * M * (INR (S N) * (1 - e / t) ^ N * (e / (t * t))) - INR (S N) * (t - e) ^ N)); auto.
  - intros t (T1 & T2). apply derivable_pt_lim_minus.
    + apply (derivable_pt_lim_scal (fun t => (1 - e / t) ^ S N)).
      apply (derivable_pt_lim_comp (fun t => 1 - e / t) (fun z => z ^ S N)); [|apply derivable_pt_lim_pow].
      replace (e / (t * t)) with (0 - (0 * t - 1 * e) / (t * t)) by (field; lra).
      apply derivable_pt_lim_minus; [apply derivable_pt_lim_const|].
      apply (derivable_pt_lim_div (fct_cte e) id); [apply derivable_pt_lim_const|apply derivable_pt_lim_id|unfold id;
        lra].
    + replace (INR (S N) * (t - e) ^ N) with (INR (S N) * (t - e) ^ N * (1 - 0)) by ring.
      apply (derivable_pt_lim_comp (fun t => t - e) (fun z => z ^ S N)); [|apply derivable_pt_lim_pow].
      apply derivable_pt_lim_minus. apply derivable_pt_lim_id. apply derivable_pt_lim_const.
  - intros t (T1 & T2). assert (T0 : 0 < t) by lra. assert (N0 : 0 <= INR (S N)) by apply pos_INR.
    replace (1 - e / t) with ((t - e) * / t) by (field; lra). rewrite Rpow_mult_distr, pow_inv.
    assert (tN : 0 < t ^ N) by (apply pow_lt; auto).
    replace (A * M * (INR (S N) * ((t - e) ^ N * / t ^ N) * (e / (t * t))) - INR (S N) * (t - e) ^ N)
      with (INR (S N) * (t - e) ^ N * (A * e * M / (t * t ^ S N) - 1)) by (simpl; field; lra).
    apply Rmult_le_pos; [apply Rmult_le_pos; auto; apply pow_le; lra|].
    assert (tS : t ^ S N <= M) by (apply Rle_trans with ((A * e) ^ S N); auto; apply pow_incr; lra).
    assert (tP : 0 < t * t ^ S N) by (apply Rmult_lt_0_compat; auto; apply pow_lt; auto).
    assert (t * t ^ S N <= A * e * M) by (apply Rmult_le_compat; try lra; apply pow_le; lra).
    set (z := t * t ^ S N) in *. apply Rmult_le_reg_r with z; auto.
    replace ((A * e * M / z - 1) * z) with (A * e * M - z) by (field; lra). lra.
Qed.
