(* (epsilon, delta): what an outcome's probability may exceed the factor by, summed over all outcomes, is at most delta.

   excess nearly                            the definition, by outcomes
   nearly_indistinct nearly_events          the usual one, by events about anything computed from the outcome
   close_nearly nearly_weaken               a pure cost is one with delta 0
   nearly_joint                             post-processing by anything that depends on the outcome alone
   nearly_compose                           a first part, and a second whose law depends on it: both costs add up *)
From Coq Require Import Reals Lra Lia List.
From DPSPIN Require Import Probability.
Import ListNotations.
Open Scope R_scope.

Definition excess {A} (eps : R) (p p' : A -> R) (a : A) : R := Rmax 0 (p a - exp eps * p' a).
Definition nearly {A} (eps delta : R) (p p' : A -> R) := law p /\ law p' /\
  (forall l, NoDup l -> lsum l (excess eps p p') <= delta) /\ (forall l, NoDup l -> lsum l (excess eps p' p) <= delta).
Lemma excess_nonneg {A} eps (p p' : A -> R) a : 0 <= excess eps p p' a.
Proof. apply Rmax_l. Qed.
Lemma excess_least {A} eps (p p' r : A -> R) : (forall a, 0 <= r a) -> (forall a, p a <= exp eps * p' a + r a) ->
  forall a, excess eps p p' a <= r a.
Proof. intros P H a. apply Rmax_lub; auto. specialize (H a). lra. Qed.
Lemma excess_event {A} eps delta (p p' : A -> R) E x x' : (forall l, NoDup l -> lsum l (excess eps p p') <= delta) ->
  probability p E x -> probability p' E x' -> x <= exp eps * x' + delta.
Proof.
  intros H (_ & L) (U' & _). apply L. intros s (l & N & I & ->).
  apply Rle_trans with (lsum l (fun a => exp eps * p' a) + lsum l (excess eps p p')).
  - assert (S : forall f g, lsum l (fun a => f a + g a) = lsum l f + lsum l g)
      by (intros f g; clear; induction l; simpl; [lra|rewrite IHl; lra]).
    rewrite <- S. apply lsum_le. intros a _. assert (K := Rmax_r 0 (p a - exp eps * p' a)). unfold excess. lra.
  - rewrite lsum_scal. apply Rplus_le_compat; auto. apply Rmult_le_compat_l. left; apply exp_pos.
    apply U'. exists l; auto.
Qed.
Definition nearly_indistinct {A Y} (eps delta : R) (f : A -> Y) (p p' : A -> R) := forall E : Y -> Prop, exists x x',
  probability p (fun a => E (f a)) x /\ probability p' (fun a => E (f a)) x' /\
  x <= exp eps * x' + delta /\ x' <= exp eps * x + delta.
Theorem nearly_events {A Y} eps delta (p p' : A -> R) (f : A -> Y) : nearly eps delta p p' ->
  nearly_indistinct eps delta f p p'.
Proof.
  intros (H & H' & D & D') E. destruct (probability_exists p H (fun a => E (f a))) as (x & X & _).
  destruct (probability_exists p' H' (fun a => E (f a))) as (x' & X' & _). exists x, x'.
  split; [|split; [|split]]; auto.
  - apply (excess_event eps delta p p' (fun a => E (f a))); auto.
  - apply (excess_event eps delta p' p (fun a => E (f a))); auto.
Qed.
Theorem nearly_weaken {A} eps delta eps' delta' (p p' : A -> R) : eps <= eps' -> delta <= delta' ->
  nearly eps delta p p' -> nearly eps' delta' p p'.
Proof.
  intros Le Ld (H & H' & D & D'). assert (E := exp_le _ _ Le).
  assert (K : forall q q' : A -> R, law q' -> (forall l, NoDup l -> lsum l (excess eps q q') <= delta) ->
    forall l, NoDup l -> lsum l (excess eps' q q') <= delta').
  { intros q q' (P & _) Q l N. apply Rle_trans with (lsum l (excess eps q q')); [|specialize (Q l N); lra].
    apply lsum_le. intros a _. apply excess_least; [intros; apply excess_nonneg|]. intros x.
    assert (M := Rmax_r 0 (q x - exp eps * q' x)). specialize (P x). unfold excess. nra. }
  split; [|split; [|split]]; auto.
Qed.
Theorem close_nearly {A} eps (p p' : A -> R) : close eps p p' -> nearly eps 0 p p'.
Proof.
  intros (H & H' & R1 & R2).
  assert (K : forall q q' : A -> R, ratio eps q q' -> forall l, lsum l (excess eps q q') <= 0).
  { intros q q' R l. induction l as [|a l IH]; simpl. lra. specialize (R a).
    assert (excess eps q q' a <= 0) by (apply Rmax_lub; lra). lra. }
  split; [|split; [|split]]; auto.
Qed.
Section Joint.
Context {A W : Type} (same : forall a b : A, {a = b} + {a <> b}).
Theorem nearly_joint eps delta (p p' : A -> R) (k : A -> W -> R) : (forall a, law (k a)) -> nearly eps delta p p' ->
  nearly eps delta (joint p k) (joint p' k).
Proof.
  intros K (H & H' & D & D'). assert (K0 : forall a w, 0 <= k a w) by (intros a; apply (K a)).
  assert (G : forall q q' : A -> R, (forall l, NoDup l -> lsum l (excess eps q q') <= delta) ->
    forall l, NoDup l -> lsum l (excess eps (joint q k) (joint q' k)) <= delta).
  { intros q q' Q l N. apply Rle_trans with (lsum l (joint (excess eps q q') k)).
    - apply lsum_le. intros o _. apply excess_least.
      + intros x. apply Rmult_le_pos; auto. apply excess_nonneg.
      + intros (a & w). unfold joint; cbn [fst snd]. assert (M := Rmax_r 0 (q a - exp eps * q' a)). specialize (K0 a w).
        unfold excess. nra.
    - rewrite <- (Rmult_1_r delta). apply joint_sum; auto; try lra; try (intros; apply excess_nonneg).
      intros a ws _ Nw _. apply law_at_most; auto. }
  split; [|split; [|split]]; auto using law_joint.
Qed.
Theorem nearly_compose e1 d1 e2 d2 (p p' : A -> R) (k k' : A -> W -> R) : nearly e1 d1 p p' -> 0 <= d2 ->
  (forall a, law (k a)) -> (forall a, law (k' a)) ->
  (forall a, p a <> 0 \/ p' a <> 0 -> nearly e2 d2 (k a) (k' a)) ->
  nearly (e1 + e2) (d1 + d2) (joint p k) (joint p' k').
Proof.
  intros (H & H' & D1 & D1') D2 L1 L2 K.
  assert (G : forall (q q' : A -> R) (j j' : A -> W -> R), law q -> law q' -> (forall a, law (j a)) ->
    (forall a, law (j' a)) -> (forall l, NoDup l -> lsum l (excess e1 q q') <= d1) ->
    (forall a, q a <> 0 -> forall l, NoDup l -> lsum l (excess e2 (j a) (j' a)) <= d2) ->
    forall l, NoDup l -> lsum l (excess (e1 + e2) (joint q j) (joint q' j')) <= d1 + d2).
  { intros q q' j j' Q Q' J J' X1 X l N.
    set (r := fun o => joint (excess e1 q q') j o + joint q (fun a => excess e2 (j a) (j' a)) o).
    apply Rle_trans with (lsum l r).
    - apply lsum_le. intros o _. apply excess_least.
      + intros (a & w). unfold r, joint; cbn [fst snd].
        apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply excess_nonneg. apply (J a). apply Q.
      + intros (a & w). unfold r, joint; cbn [fst snd]. rewrite exp_plus.
        assert (M1 := Rmax_r 0 (q a - exp e1 * q' a)). fold (excess e1 q q' a) in M1.
        assert (M2 := Rmax_r 0 (j a w - exp e2 * j' a w)). fold (excess e2 (j a) (j' a) w) in M2.
        assert (N1 := excess_nonneg e1 q q' a). assert (N2 := excess_nonneg e2 (j a) (j' a) w).
        set (x1 := excess e1 q q' a) in *. set (x2 := excess e2 (j a) (j' a) w) in *.
        assert (P : 0 <= q a) by apply Q. assert (P' : 0 <= q' a) by apply Q'.
        assert (T : 0 <= j a w) by apply (J a). assert (T' : 0 <= j' a w) by apply (J' a).
        set (m := Rmin (j a w) (exp e2 * j' a w)).
        assert (m1 : m <= j a w) by apply Rmin_l. assert (m2 : m <= exp e2 * j' a w) by apply Rmin_r.
        assert (E1 := exp_pos e1). assert (E2 := exp_pos e2).
        assert (m0 : 0 <= m) by (apply Rmin_glb; auto; apply Rmult_le_pos; lra).
        assert (jm : j a w <= m + x2) by (unfold m, Rmin; destruct (Rle_dec _ _); lra).
        assert (q a * j a w <= q a * m + q a * x2) by (rewrite <- Rmult_plus_distr_l; apply Rmult_le_compat_l; auto).
        assert (q a * m <= (exp e1 * q' a + x1) * m) by (apply Rmult_le_compat_r; lra).
        assert (x1 * m <= x1 * j a w) by (apply Rmult_le_compat_l; auto).
        assert (exp e1 * q' a * m <= exp e1 * q' a * (exp e2 * j' a w)).
        { apply Rmult_le_compat_l; auto. apply Rmult_le_pos; lra. }
        lra.
    - assert (S : forall f g, lsum l (fun o => f o + g o) = lsum l f + lsum l g)
        by (intros f g; clear; induction l; simpl; [lra|rewrite IHl; lra]).
      unfold r. rewrite S. apply Rplus_le_compat.
      + rewrite <- (Rmult_1_r d1). apply joint_sum; auto; try lra.
        * intros; apply excess_nonneg.
        * intros a. apply (J a).
        * intros a ws _ Nw _. apply law_at_most; auto.
      + rewrite <- (Rmult_1_l d2). apply joint_sum; auto.
        * apply Q.
        * intros; apply excess_nonneg.
        * intros l' N'. apply law_at_most; auto. }
  split; [|split; [|split]]; try (apply law_joint; auto).
  - apply G; auto. intros a NZ. apply (K a). auto.
  - apply G; auto. intros a NZ. apply (K a). auto.
Qed.
End Joint.
