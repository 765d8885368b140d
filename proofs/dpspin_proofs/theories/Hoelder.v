(* Real roots, and Hoelder's inequality for two terms with weights 1 and n.

   root root_power root_unique              k-th roots of what is not negative
   holder                                   x1 y1^n is at most the power of a difference of roots *)
From Coq Require Import Reals Lra Lia List.
From DPSPIN Require Import Bell.
Open Scope R_scope.

(* ---- roots ---- *)
Definition root (k : nat) (x : R) : R := if Rle_dec x 0 then 0 else exp (ln x / INR k).
Lemma root_nonneg k x : 0 <= root k x.
Proof. unfold root. destruct (Rle_dec x 0). lra. left; apply exp_pos. Qed.
Lemma exp_power x n : exp x ^ n = exp (INR n * x).
Proof.
  induction n. simpl; rewrite Rmult_0_l, exp_0; auto. rewrite S_INR. simpl. rewrite IHn, <- exp_plus. f_equal; ring.
Qed.
Lemma root_power k x : 0 <= x -> root (S k) x ^ S k = x.
Proof.
  intros X. unfold root. destruct (Rle_dec x 0).
  - rewrite pow_i by lia. lra.
  - rewrite exp_power. replace (INR (S k) * (ln x / INR (S k))) with (ln x).
    + apply exp_ln. lra.
    + field. apply not_0_INR. lia.
Qed.
Lemma power_lt k x y : 0 <= x -> x < y -> x ^ S k < y ^ S k.
Proof.
  intros X L. induction k as [|k IH]. simpl; lra. change (x ^ S (S k)) with (x * x ^ S k).
  change (y ^ S (S k)) with (y * y ^ S k). assert (0 <= x ^ S k) by (apply pow_le; auto).
  apply Rmult_le_0_lt_compat; auto.
Qed.
Lemma power_inj k x y : 0 <= x -> 0 <= y -> x ^ S k = y ^ S k -> x = y.
Proof.
  intros X Y E. destruct (Rtotal_order x y) as [L|[L|L]]; auto.
  - assert (K := power_lt k x y X L). lra.
  - assert (K := power_lt k y x Y L). lra.
Qed.
Lemma root_unique k x y : 0 <= x -> 0 <= y -> y ^ S k = x -> root (S k) x = y.
Proof. intros X Y E. apply (power_inj k); auto using root_nonneg. rewrite root_power; auto. Qed.

Lemma holder n x1 x2 y1 y2 : 0 <= x1 -> 0 <= x2 -> 0 <= y1 -> 0 <= y2 ->
  x1 * y1 ^ n <= (root (S n) ((x1 + x2) * (y1 + y2) ^ n) - root (S n) (x2 * y2 ^ n)) ^ S n /\
  root (S n) (x2 * y2 ^ n) <= root (S n) ((x1 + x2) * (y1 + y2) ^ n).
Proof.
  intros X1 X2 Y1 Y2. set (X := x1 + x2). set (Y := y1 + y2).
  assert (XX : 0 <= X) by (unfold X; lra). assert (YY : 0 <= Y) by (unfold Y; lra).
  set (rx := root (S n)). assert (R0 : forall x, 0 <= rx x) by (intros; apply root_nonneg).
  assert (RP : forall x, 0 <= x -> rx x ^ S n = x) by (intros; apply root_power; auto).
  assert (RM : forall x y, 0 <= x -> 0 <= y -> rx (x * y ^ n) = rx x * rx y ^ n).
  { intros x y Hx Hy. apply root_unique.
    - apply Rmult_le_pos; auto. apply pow_le; auto.
    - apply Rmult_le_pos; auto. apply pow_le; auto.
    - rewrite Rpow_mult_distr, RP by auto. f_equal. rewrite <- pow_mult, Nat.mul_comm, pow_mult, RP by auto.
      reflexivity. }
  assert (Main : rx (x1 * y1 ^ n) + rx (x2 * y2 ^ n) <= rx (X * Y ^ n)).
  { rewrite !RM by auto. set (S' := rx X * rx Y ^ n).
    destruct (Req_dec (X * Y ^ n) 0) as [Z0|NZ].
    - assert (Zi : forall x y, 0 <= x <= X -> 0 <= y <= Y -> x * y ^ n = 0).
      { intros x y (A & B) (C & D). assert (y ^ n <= Y ^ n) by (apply pow_incr; lra).
        assert (0 <= y ^ n) by (apply pow_le; auto). assert (x * y ^ n <= X * Y ^ n) by (apply Rmult_le_compat; auto).
        assert (0 <= x * y ^ n) by (apply Rmult_le_pos; auto). lra. }
      unfold S'. rewrite <- !RM by auto. rewrite (Zi x1 y1), (Zi x2 y2) by (unfold X, Y; lra). rewrite Z0.
      replace (rx 0) with 0. lra. unfold rx, root. destruct (Rle_dec 0 0); lra.
    - assert (PX : 0 < X) by (destruct XX as [|E]; auto; exfalso; apply NZ; rewrite <- E; ring).
      assert (PYn : 0 < Y ^ n) by (destruct (pow_le Y n YY) as [|E]; auto; exfalso; apply NZ; rewrite <- E; ring).
      assert (rX : 0 < rx X).
      { destruct (R0 X) as [|E]; auto. exfalso. assert (K := RP X XX). rewrite <- E in K. rewrite pow_i in K by lia.
        lra. }
      assert (rYn : 0 < rx Y ^ n).
      { destruct n as [|k]; [simpl; lra|]. apply pow_lt. destruct (R0 Y) as [|E]; auto. exfalso.
        assert (K := RP Y YY). rewrite <- E, pow_i in K by lia. rewrite <- K, pow_i in PYn by lia. lra. }
      assert (YoY : forall y, 0 <= y <= Y -> exists t, 0 <= t /\ rx y = t * rx Y /\ t ^ S n * Y = y).
      { intros y (A & B). destruct (Req_dec Y 0) as [ZY|NY].
        - exists 0. assert (y = 0) by lra. subst y. split; [lra|]. split.
          + unfold rx, root. destruct (Rle_dec 0 0); lra.
          + rewrite ZY. ring.
        - exists (rx y / rx Y). assert (0 < rx Y).
          { destruct (R0 Y) as [|E]; auto. exfalso. assert (K := RP Y YY). rewrite <- E, pow_i in K by lia. lra. }
          split; [apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; auto|]. split; [field; lra|].
          unfold Rdiv. rewrite Rpow_mult_distr, RP by auto. rewrite <- (RP Y YY) at 2.
          rewrite Rmult_assoc, <- Rpow_mult_distr.
          rewrite Rinv_l, pow1 by lra. ring. }
      destruct (YoY y1 ltac:(unfold Y; lra)) as (t1 & T1 & E1 & F1).
      destruct (YoY y2 ltac:(unfold Y; lra)) as (t2 & T2 & E2 & F2).
      assert (K1 := young (rx x1 / rx X) t1 n ltac:(apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; auto) T1).
      assert (K2 := young (rx x2 / rx X) t2 n ltac:(apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; auto) T2).
      assert (P1 : forall x, 0 <= x -> (rx x / rx X) ^ S n = x / X).
      { intros x Hx. unfold Rdiv. rewrite Rpow_mult_distr, RP, pow_inv, RP by auto. reflexivity. }
      rewrite P1 in K1, K2 by auto. rewrite E1, E2, !Rpow_mult_distr.
      assert (Sum : x1 / X + x2 / X = 1) by (unfold X in *; field; lra).
      assert (SumY : INR n * (t1 ^ S n + t2 ^ S n) <= INR n).
      { destruct n as [|k]. simpl; lra. assert (PY : 0 < Y).
        { destruct YY as [|E]; auto. exfalso. rewrite <- E, pow_i in PYn by lia. lra. }
        assert (t1 ^ S (S k) + t2 ^ S (S k) = 1).
        { apply Rmult_eq_reg_r with Y; [|lra]. rewrite Rmult_plus_distr_r, F1, F2. unfold Y. ring. }
        rewrite H. lra. }
      assert (N0 : 0 <= INR n) by apply pos_INR.
      assert (Le : rx x1 / rx X * t1 ^ n + rx x2 / rx X * t2 ^ n <= 1).
      { apply Rmult_le_reg_l with (INR n + 1); [lra|]. lra. }
      apply Rmult_le_compat_r with (r := S') in Le; [|apply Rmult_le_pos; lra]. rewrite Rmult_1_l in Le.
      eapply Rle_trans; [|exact Le]. right. unfold S'. field. lra. }
  split; [|assert (K := R0 (x1 * y1 ^ n)); lra].
  rewrite <- (RP (x1 * y1 ^ n)) at 1 by (apply Rmult_le_pos; auto; apply pow_le; auto).
  apply pow_incr. split; auto. fold rx. lra.
Qed.
