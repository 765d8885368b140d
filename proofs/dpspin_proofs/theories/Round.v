(* One round of admission keeps to the closed form of what is left to lose, whatever the scores.

   next share_total                         the state after an atom is admitted, and totals over all atoms
   early_sum finish_early                   where the first branch holds after the round as before
   linear_branch finish_late                where it holds no longer
   first_step value_step                    the last round, and every round *)
From Coq Require Import Reals Lra Lia List.
From DPSPIN Require Import Probability Hoelder Branch.
Import ListNotations.
Open Scope R_scope.

(* ---- one round over all atoms: omega are their shares, x and y what the unit adds to each on either side ---- *)
Section Step.
Context {I : Type} (U : list I) (omega x y : I -> R).
Variables (k : nat) (p q A B : R).
Hypothesis Homega : forall i, In i U -> 0 <= omega i.
Hypothesis total : lsum U omega = 1.
Hypothesis Hx : forall i, In i U -> 1 <= x i <= A.
Hypothesis Hy : forall i, In i U -> 1 <= y i <= B.
Hypothesis HA : 1 <= A.
Hypothesis HB : 1 <= B.
Hypothesis Hp : 0 <= p.
Hypothesis Hq : 0 <= q.
Let Z1 := lsum U (fun i => omega i * x i).
Let Z2 := lsum U (fun i => omega i * y i).
Lemma share_total (z : I -> R) C : (forall i, In i U -> 1 <= z i <= C) -> 1 <= lsum U (fun i => omega i * z i) <= C.
Proof.
  intros H. rewrite <- total. split; [apply lsum_le|rewrite <- (Rmult_1_r C), <- total, <- lsum_scal; apply lsum_le];
    intros i J; specialize (Homega i J); specialize (H i J); nra.
Qed.
Lemma lsum_plus (f g : I -> R) : lsum U (fun i => f i + g i) = lsum U f + lsum U g.
Proof. clear. induction U; simpl; [lra|rewrite IHl; lra]. Qed.
Definition next (n : nat) (i : I) : R := value n (p * (omega i * x i) / Z1) (q * (omega i * y i) / Z2) (A / x i) (B /
  y i).
Lemma early_sum : A * (p / Z1) <= B * (q / Z2) -> 1 < B -> lsum U (next (S k)) <= (B * Z1 - Z2) *
  (Rmax 0 (root (S (S k)) (A * B ^ S k * (p / Z1)) - root (S (S k)) (q / Z2)) ^ S (S k) / ((A * B - 1) * (B - 1) ^ S
    k)).
Proof.
  intros Early B1. assert (R1 := share_total x A Hx : 1 <= Z1 <= A). assert (R2 := share_total y B Hy : 1 <= Z2 <= B).
  set (K := _ / ((A * B - 1) * (B - 1) ^ S k)).
  apply Rle_trans with (lsum U (fun i => K * (B * (omega i * x i) + -1 * (omega i * y i)))).
  - apply lsum_le. intros i J. specialize (Homega i J). assert (X := Hx i J). assert (Y := Hy i J). unfold next, value.
    replace (p * (omega i * x i) / Z1) with (omega i * x i * (p / Z1)) by (field; lra).
    replace (q * (omega i * y i) / Z2) with (omega i * y i * (q / Z2)) by (field; lra).
    destruct (Rle_dec _ _) as [_|N].
    + eapply Rle_trans. apply early_term; auto; try (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
      right. fold K. ring.
    + exfalso. apply N. replace (A / x i * (omega i * x i * (p / Z1))) with (omega i * (A * (p / Z1))) by (field; lra).
      replace (B / y i * (omega i * y i * (q / Z2))) with (omega i * (B * (q / Z2))) by (field; lra).
      apply Rmult_le_compat_l; auto.
  - rewrite lsum_scal, lsum_plus, !lsum_scal. fold Z1 Z2. right. ring.
Qed.
Lemma early_none : A * (p / Z1) <= B * (q / Z2) -> B = 1 -> lsum U (next (S k)) <= 0.
Proof.
  intros Early B1. assert (R1 := share_total x A Hx : 1 <= Z1 <= A). assert (R2 := share_total y B Hy : 1 <= Z2 <= B).
  apply Rle_trans with (lsum U (fun i => 0 * omega i)); [|rewrite lsum_scal; lra]. apply lsum_le. intros i J.
  specialize (Homega i J). assert (X := Hx i J). assert (Y := Hy i J). unfold next, value.
  assert (Y1 : y i = 1) by lra. rewrite Y1, B1 in *.
  assert (A0 : A / x i * (p * (omega i * x i) / Z1) <= q * (omega i * 1) / Z2).
  { replace (A / x i * (p * (omega i * x i) / Z1)) with (omega i * (A * (p / Z1))) by (field; lra).
    replace (q * (omega i * 1) / Z2) with (omega i * (1 * (q / Z2))) by (field; lra). apply Rmult_le_compat_l; auto. }
  destruct (Rle_dec _ _) as [_|N]; [|exfalso; apply N; lra].
  rewrite first_branch_zero; try lra.
  - replace (p * (omega i * x i) / Z1) with (omega i * x i * (p / Z1)) by (field; lra).
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra.
  - replace (q * (omega i * 1) / Z2) with (omega i * (q / Z2)) by (field; lra).
    apply Rmult_le_pos; auto. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra.
  - apply Rmult_le_reg_r with (x i); [lra|]. replace (A / x i * x i) with A by (field; lra). lra.
  - replace (1 / 1) with 1 by field. rewrite pow1. lra.
Qed.

Lemma next_flip_sum n : lsum U (next n) =
  p - q + lsum U (fun i => value n (q * (omega i * y i) / Z2) (p * (omega i * x i) / Z1) (B / y i) (A / x i)).
Proof.
  assert (R1 := share_total x A Hx : 1 <= Z1 <= A). assert (R2 := share_total y B Hy : 1 <= Z2 <= B).
  rewrite (lsum_ext U (next n) (fun i => (p / Z1 * (omega i * x i) + - (q / Z2) * (omega i * y i)) +
    value n (q * (omega i * y i) / Z2) (p * (omega i * x i) / Z1) (B / y i) (A / x i))).
  - rewrite !lsum_plus, !lsum_scal. fold Z1 Z2. f_equal. field. lra.
  - intros i J. specialize (Homega i J). assert (X := Hx i J). assert (Y := Hy i J). unfold next.
    assert (P0 : 0 <= p / Z1) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
    assert (Q0 : 0 <= q / Z2) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
    assert (D : forall C z, 1 <= z <= C -> 1 <= C / z).
    { intros C z (Z0 & Z3). apply Rmult_le_reg_r with z; [lra|]. replace (C / z * z) with C by (field; lra). lra. }
    replace (p * (omega i * x i) / Z1) with (omega i * x i * (p / Z1)) by (field; lra).
    replace (q * (omega i * y i) / Z2) with (omega i * y i * (q / Z2)) by (field; lra).
    rewrite value_flip; auto; try (apply Rmult_le_pos; auto; apply Rmult_le_pos; lra). f_equal. ring.
Qed.
Lemma finish_early : A * (p / Z1) <= B * (q / Z2) -> 1 < B -> lsum U (next (S k)) <= first_branch (S k) p q A B.
Proof.
  intros Early B1. assert (R1 := share_total x A Hx : 1 <= Z1 <= A). assert (R2 := share_total y B Hy : 1 <= Z2 <= B).
  eapply Rle_trans. apply early_sum; auto. set (N := S (S k)). set (c := root N _). set (d := root N _).
  assert (P0 : 0 <= p / Z1) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  assert (Q0 : 0 <= q / Z2) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  assert (c0 : 0 <= c) by apply root_nonneg. assert (d0 : 0 <= d) by apply root_nonneg.
  assert (Den : 0 < (A * B - 1) * (B - 1) ^ S k) by (apply Rmult_lt_0_compat; [nra|apply pow_lt; lra]).
  destruct (Rle_dec c d) as [L|L].
  { rewrite Rmax_left by lra. unfold N. rewrite pow_i by lia. unfold Rdiv. rewrite Rmult_0_l, Rmult_0_r.
    apply first_branch_nonneg; auto. }
  rewrite Rmax_right by lra. assert (X1 : 0 <= B * Z1 - Z2) by nra.
  destruct (holder N (B * Z1 - Z2) Z2 (c - d) d X1 ltac:(lra) ltac:(lra) d0) as (H & H').
  replace (B * Z1 - Z2 + Z2) with (B * Z1) in * by ring. replace (c - d + d) with c in * by ring.
  assert (Cp : c ^ N = A * B ^ S k * (p / Z1)).
  { apply root_power. apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|apply pow_le; lra]. }
  assert (Dp : d ^ N = q / Z2) by (apply root_power; auto).
  rewrite Cp, Dp in *.
  replace (B * Z1 * (A * B ^ S k * (p / Z1))) with (A * B ^ N * p) in * by (unfold N; simpl; field; lra).
  replace (Z2 * (q / Z2)) with q in * by (field; lra).
  unfold first_branch. fold N. rewrite Rmax_right by lra. unfold Rdiv. rewrite <- Rmult_assoc.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|exact H].
Qed.
Lemma linear_branch n : 1 < B -> (B - 1) * (A * p - q) / (A * B - 1) <= first_branch n p q A B.
Proof.
  intros B1. assert (AB : 0 < A * B - 1) by nra. destruct (Rle_dec (A * p) q) as [L|L].
  - assert (K := first_branch_nonneg n p q A B HA B1). apply Rle_trans with 0; auto.
    assert (0 <= (B - 1) * (q - A * p) / (A * B - 1)).
    { apply Rmult_le_pos; [apply Rmult_le_pos; lra|left; apply Rinv_0_lt_compat; auto]. }
    replace ((B - 1) * (A * p - q) / (A * B - 1)) with (- ((B - 1) * (q - A * p) / (A * B - 1))) by (field; lra). lra.
  - set (N := S n). destruct (holder N (A * p - q) q (B - 1) 1 ltac:(lra) Hq ltac:(lra) ltac:(lra)) as (H & H').
    replace (A * p - q + q) with (A * p) in * by ring. replace (B - 1 + 1) with B in * by ring.
    rewrite pow1, Rmult_1_r in *.
    replace (A * p * B ^ N) with (A * B ^ N * p) in * by ring. unfold first_branch. fold N. rewrite Rmax_right by lra.
    assert (Bn : 0 < (B - 1) ^ n) by (apply pow_lt; lra).
    replace ((B - 1) * (A * p - q) / (A * B - 1)) with ((A * p - q) * (B - 1) ^ N / ((A * B - 1) * (B - 1) ^ n))
      by (unfold N; simpl; field; split; lra).
    apply Rmult_le_compat_r; auto. left. apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto.
Qed.
End Step.

Section LateStep.
Context {I : Type} (U : list I) (omega x y : I -> R).
Variables (k : nat) (p q A B : R).
Hypothesis Homega : forall i, In i U -> 0 <= omega i.
Hypothesis total : lsum U omega = 1.
Hypothesis Hx : forall i, In i U -> 1 <= x i <= A.
Hypothesis Hy : forall i, In i U -> 1 <= y i <= B.
Hypothesis HA : 1 <= A.
Hypothesis HB : 1 <= B.
Hypothesis Hp : 0 <= p.
Hypothesis Hq : 0 <= q.
Let Z1 := lsum U (fun i => omega i * x i).
Let Z2 := lsum U (fun i => omega i * y i).
Lemma finish_late : A * p <= B * q -> B * (q / Z2) < A * (p / Z1) ->
  lsum U (next U omega x y p q A B (S k)) <= first_branch (S k) p q A B.
Proof.
  intros Reg Late. assert (R1 := share_total U omega Homega total x A Hx : 1 <= Z1 <= A).
  assert (R2 := share_total U omega Homega total y B Hy : 1 <= Z2 <= B).
  assert (P0 : 0 <= p / Z1) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  assert (Q0 : 0 <= q / Z2) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  assert (B1 : 1 < B).
  { apply Rnot_le_lt. intros L. assert (Z2 = 1) by lra. assert (p / Z1 <= p).
    { apply Rmult_le_reg_r with Z1; [lra|]. replace (p / Z1 * Z1) with p by (field; lra). nra. }
    rewrite H in Late. replace (q / 1) with q in Late by field.
    assert (A * (p / Z1) <= A * p) by (apply Rmult_le_compat_l; lra).
    lra. }
  assert (pA : p <= A * p) by nra. assert (AB : 0 < A * B - 1) by nra.
  rewrite (next_flip_sum U omega x y) by auto. fold Z1 Z2.
  apply Rle_trans with (p - q + (B * q - p) * (A - 1) / (A * B - 1)).
  - apply Rplus_le_compat_l. destruct (Req_dec A 1) as [A1|NA].
    + replace ((B * q - p) * (A - 1) / (A * B - 1)) with 0 by (rewrite A1; unfold Rdiv; ring).
      apply (early_none U omega y x k q p B A); auto. fold Z1 Z2. lra.
    + assert (A1 : 1 < A) by lra. eapply Rle_trans.
      { apply (early_sum U omega y x k q p B A); auto. fold Z1 Z2. lra. }
      fold Z1 Z2. set (N := S (S k)). set (c := root N _). set (d := root N _).
      assert (d0 : 0 <= d) by apply root_nonneg. assert (Dp : d ^ N = p / Z1) by (apply root_power; auto).
      assert (Cp : c ^ N = B * A ^ S k * (q / Z2)).
      { apply root_power. apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|apply pow_le; lra]. }
      assert (AN : 0 < (A - 1) ^ S k) by (apply pow_lt; lra). assert (Ak : 0 < A ^ S k) by (apply pow_lt; lra).
      assert (Main : (A * Z2 - Z1) * Rmax 0 (c - d) ^ N <= (B * q - p) * (A - 1) ^ N).
      { destruct (Rle_dec c d) as [L|L].
        - rewrite Rmax_left by lra. unfold N at 1. rewrite pow_i by lia. rewrite Rmult_0_r.
          apply Rmult_le_pos; [lra|apply pow_le; lra].
        - rewrite Rmax_right by lra. assert (q0 : 0 < q).
          { destruct Hq as [|E]; auto. exfalso. assert (c = 0); [|lra]. apply (power_inj (S k)).
            - apply root_nonneg.
            - lra.
            - fold N. rewrite Cp, <- E. unfold N. rewrite pow_i by lia. field. lra. }
          assert (p0 : 0 < p).
          { destruct Hp as [|E]; auto. exfalso. rewrite <- E in Late.
            replace (A * (0 / Z1)) with 0 in Late by (field; lra).
            assert (0 <= B * (q / Z2)) by (apply Rmult_le_pos; lra). lra. }
          assert (dp : 0 < d).
          { destruct d0 as [|E]; auto. exfalso. rewrite <- E in Dp. unfold N in Dp. rewrite pow_i in Dp by lia.
            assert (0 < p / Z1) by (apply Rdiv_lt_0_compat; lra). lra. }
          set (M := B * A ^ S k * q / Z1).
          assert (cA : c <= A * d).
          { apply Rnot_lt_le. intros K. assert (W := power_lt (S k) (A * d) c ltac:(apply Rmult_le_pos; lra) K).
            fold N in W.
            rewrite Rpow_mult_distr, Dp, Cp in W.
            replace (A ^ N * (p / Z1)) with (A ^ S k * (A * (p / Z1))) in W by (unfold N; simpl; ring).
            replace (B * A ^ S k * (q / Z2)) with (A ^ S k * (B * (q / Z2))) in W by ring.
            apply Rmult_lt_reg_l in W; auto. lra. }
          assert (dM : (A * d) ^ N <= M).
          { rewrite Rpow_mult_distr, Dp. unfold M.
            replace (A ^ N * (p / Z1)) with (A ^ S k * (A * p) / Z1) by (unfold N; simpl; field; lra).
            replace (B * A ^ S k * q / Z1) with (A ^ S k * (B * q) / Z1) by (field; lra).
            apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rmult_le_compat_l; lra. }
          assert (G := late_rise (S k) A M d c HA dp ltac:(lra) cA dM). fold N in G.
          assert (E1 : A * M / c ^ N - 1 = (A * Z2 - Z1) / Z1).
          { rewrite Cp. unfold M. field. repeat split; try lra; apply pow_nonzero; lra. }
          assert (E2 : A * M / (A * d) ^ N - 1 = (B * q - p) / p).
          { rewrite Rpow_mult_distr, Dp. unfold M, N. simpl. field. repeat split; try lra; apply pow_nonzero; lra. }
          rewrite E1, E2 in G. replace (A * d - d) with ((A - 1) * d) in G by ring. rewrite Rpow_mult_distr, Dp in G.
          apply Rmult_le_compat_r with (r := Z1) in G; [|lra].
          replace ((A * Z2 - Z1) / Z1 * (c - d) ^ N * Z1) with ((A * Z2 - Z1) * (c - d) ^ N) in G by (field; lra).
          replace ((B * q - p) / p * ((A - 1) ^ N * (p / Z1)) * Z1) with ((B * q - p) * (A - 1) ^ N) in G by (field;
            lra).
          exact G. }
      apply Rmult_le_reg_r with ((B * A - 1) * (A - 1) ^ S k); [apply Rmult_lt_0_compat; auto; lra|].
      replace ((A * Z2 - Z1) * (Rmax 0 (c - d) ^ N / ((B * A - 1) * (A - 1) ^ S k)) * ((B * A - 1) * (A - 1) ^ S k))
        with ((A * Z2 - Z1) * Rmax 0 (c - d) ^ N) by (field; split; lra).
      replace ((B * q - p) * (A - 1) / (A * B - 1) * ((B * A - 1) * (A - 1) ^ S k)) with ((B * q - p) * (A - 1) ^ N)
        by (unfold N; simpl; field; lra). exact Main.
  - replace (p - q + (B * q - p) * (A - 1) / (A * B - 1)) with ((B - 1) * (A * p - q) / (A * B - 1)) by (field; lra).
    apply linear_branch; auto.
Qed.
End LateStep.

Section AnyStep.
Context {I : Type} (U : list I) (omega : I -> R).
Hypothesis Homega : forall i, In i U -> 0 <= omega i.
Hypothesis total : lsum U omega = 1.
Lemma first_step x y p q A B : (forall i, In i U -> 1 <= x i <= A) -> (forall i, In i U -> 1 <= y i <= B) ->
  1 <= A -> 1 <= B -> 0 <= p -> 0 <= q -> A * p <= B * q -> lsum U (next U omega x y p q A B 0) <= first_branch 0 p q
    A B.
Proof.
  intros Hx Hy HA HB Hp Hq Reg. set (Z1 := lsum U (fun i => omega i * x i)).
  set (Z2 := lsum U (fun i => omega i * y i)).
  assert (R1 := share_total U omega Homega total x A Hx : 1 <= Z1 <= A).
  assert (R2 := share_total U omega Homega total y B Hy : 1 <= Z2 <= B).
  assert (P0 : 0 <= p / Z1) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  assert (Q0 : 0 <= q / Z2) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  set (P := p / Z1) in *. set (Q := q / Z2) in *.
  assert (Ep : forall i, p * (omega i * x i) / Z1 = omega i * x i * P) by (intros; unfold P; field; lra).
  assert (Eq : forall i, q * (omega i * y i) / Z2 = omega i * y i * Q) by (intros; unfold Q; field; lra).
  assert (pE : p = Z1 * P) by (unfold P; field; lra). assert (qE : q = Z2 * Q) by (unfold Q; field; lra).
  assert (N : forall i, next U omega x y p q A B 0 i = Rmax 0 (omega i * x i * P - omega i * y i * Q)).
  { intros i. unfold next, value. fold Z1 Z2. rewrite Ep, Eq. reflexivity. }
  destruct (Req_dec (A * B) 1) as [AB|NAB].
  - assert (A1 : A = 1) by nra. assert (B1 : B = 1) by nra.
    rewrite (first_branch_zero 0 p q A B) by (auto; try lra; rewrite A1, B1 in *; simpl; lra).
    apply Rle_trans with (lsum U (fun i => 0 * omega i)); [|rewrite lsum_scal; lra]. apply lsum_le. intros i J.
    rewrite N. specialize (Homega i J). assert (X := Hx i J). assert (Y := Hy i J). apply Rmax_lub; [lra|].
    replace (x i) with 1 by lra. replace (y i) with 1 by lra. assert (Z1 = 1) by lra. assert (Z2 = 1) by lra.
    assert (P <= Q) by (rewrite A1, B1 in Reg; rewrite pE, qE, H, H0 in Reg; lra). nra.
  - assert (ABp : 0 < A * B - 1) by nra.
    assert (Fin : forall v, (exists a b c d, 0 <= a /\ 0 <= b /\ 0 <= c /\ 0 <= d /\ (a + b) * (c + d) = A * B * p /\
      b * d = q /\ v * (A * B - 1) <= a * c) -> v <= first_branch 0 p q A B).
    { intros v (a & b & c & d & Ha & Hb & Hc & Hd & E1 & E2 & Le). destruct (holder 1 a b c d Ha Hb Hc Hd) as (H & H').
      rewrite !pow_1 in *. rewrite E1, E2 in *. unfold first_branch. rewrite !pow_1.
      rewrite Rmax_right by lra. apply Rmult_le_reg_r with (A * B - 1); auto.
      replace ((root 2 (A * B * p) - root 2 q) ^ 2 / ((A * B - 1) * (B - 1) ^ 0) * (A * B - 1))
        with ((root 2 (A * B * p) - root 2 q) ^ 2) by (simpl; field; lra). lra. }
    destruct (Rle_dec P (B * Q)) as [L|L].
    + destruct (Rle_dec (A * P) Q) as [S0|S0].
      * apply Rle_trans with 0.
        -- apply Rle_trans with (lsum U (fun i => 0 * omega i)); [|rewrite lsum_scal; lra]. apply lsum_le. intros i J.
           rewrite N. specialize (Homega i J). assert (X := Hx i J). assert (Y := Hy i J). apply Rmax_lub; [lra|].
           assert (x i * P <= y i * Q) by nra. nra.
        -- unfold first_branch. apply Rmult_le_pos; [apply pow_le, Rmax_l|]. left. apply Rinv_0_lt_compat. simpl. lra.
      * apply Fin. exists (B * Z1 - Z2), Z2, (A * P - Q), Q.
        split; [nra|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [rewrite pE; ring|].
        split; [rewrite qE; ring|].
        apply Rle_trans with (lsum U (fun i => (A * P - Q) / (A * B - 1) * (B * (omega i * x i) + -1 * (omega i * y
          i))) * (A * B - 1)).
        -- apply Rmult_le_compat_r; [lra|]. apply lsum_le. intros i J. rewrite N. specialize (Homega i J).
           assert (X := Hx i J). assert (Y := Hy i J). apply Rmax_lub.
           ++ apply Rmult_le_pos; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
              replace (B * (omega i * x i) + -1 * (omega i * y i)) with (omega i * (B * x i - y i)) by ring.
              apply Rmult_le_pos; auto. nra.
           ++ apply Rmult_le_reg_r with (A * B - 1); auto.
              replace ((A * P - Q) / (A * B - 1) * (B * (omega i * x i) + -1 * (omega i * y i)) * (A * B - 1))
                with (omega i * ((A * P - Q) * (B * x i - y i))) by (field; lra).
              replace ((omega i * x i * P - omega i * y i * Q) * (A * B - 1))
                with (omega i * ((x i * P - y i * Q) * (A * B - 1))) by ring.
              apply Rmult_le_compat_l; auto.
              assert (0 <= (B * Q - P) * (A * y i - x i)) by (apply Rmult_le_pos; [lra|nra]).
              replace ((A * P - Q) * (B * x i - y i)) with ((x i * P - y i * Q) * (A * B - 1) + (B * Q - P) * (A * y i
                - x i)) by ring.
              lra.
        -- rewrite lsum_scal, (lsum_plus U), !lsum_scal. fold Z1 Z2. right. field. lra.
    + assert (Sum : lsum U (next U omega x y p q A B 0) = p - q).
      { rewrite (lsum_ext U _ (fun i => P * (omega i * x i) + - Q * (omega i * y i))).
        - rewrite (lsum_plus U), !lsum_scal. fold Z1 Z2. rewrite pE, qE. ring.
        - intros i J. rewrite N. specialize (Homega i J). assert (X := Hx i J). assert (Y := Hy i J).
          rewrite Rmax_right; [ring|]. assert (y i * Q <= x i * P) by nra. nra. }
      rewrite Sum. destruct (Rle_dec p q) as [S0|S0].
      * apply Rle_trans with 0; [lra|]. unfold first_branch. apply Rmult_le_pos; [apply pow_le, Rmax_l|].
        left. apply Rinv_0_lt_compat. simpl. lra.
      * apply Fin. exists (p - q), q, (A * B - 1), 1. repeat split; try lra; ring.
Qed.
Lemma value_step x y n p q A B : (forall i, In i U -> 1 <= x i <= A) -> (forall i, In i U -> 1 <= y i <= B) ->
  1 <= A -> 1 <= B -> 0 <= p -> 0 <= q -> lsum U (next U omega x y p q A B n) <= value (S n) p q A B.
Proof.
  intros Hx Hy HA HB Hp Hq.
  assert (G : forall x y p q A B, (forall i, In i U -> 1 <= x i <= A) -> (forall i, In i U -> 1 <= y i <= B) ->
    1 <= A -> 1 <= B -> 0 <= p -> 0 <= q -> A * p <= B * q -> lsum U (next U omega x y p q A B n) <= first_branch n p
      q A B).
  { clear - Homega total. intros x y p q A B Hx Hy HA HB Hp Hq Reg. destruct n as [|k]; [apply first_step; auto|].
    set (Z1 := lsum U (fun i => omega i * x i)). set (Z2 := lsum U (fun i => omega i * y i)).
    destruct (Rle_dec (A * (p / Z1)) (B * (q / Z2))) as [Early|Late].
    - destruct (Req_dec B 1) as [B1|B1].
      + rewrite (first_branch_zero (S k)); auto. apply early_none; auto. rewrite B1 in *. rewrite pow1. lra.
      + apply finish_early; auto. lra.
    - apply finish_late; auto. fold Z1 Z2. lra. }
  cbn [value]. destruct (Rle_dec (A * p) (B * q)) as [L|L]; [apply G; auto|].
  rewrite (next_flip_sum U omega x y) by auto. apply Rplus_le_compat_l. apply (G y x q p B A); auto. lra.
Qed.
End AnyStep.
