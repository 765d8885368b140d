(* How likely all noise stays within tau, and what then holds of the plan.

   within box                               every noisy entry is within tau of the exact one; all such outcomes
   all_within                               the probability of that is P(|X| <= tau)^m, for independent noise of any law
   union_bound laplace_within *_within      at least 1 - m P(|X| > tau); the tails of both laws; Proposition A.1
   likely                                   an event holds with at least a given probability
   loss_likely recovery_likely              Proposition A.3, with its probability *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Recovery Probability Noise Laplace Bell.
Import ListNotations.
Open Scope R_scope.

Definition within (tau : nat) (xs ys : list Z) := Forall2 (fun x y => (Z.abs (y - x) <= Z.of_nat tau)%Z) xs ys.
Fixpoint box (tau : nat) (xs : list Z) : list (list Z) :=
  match xs with [] => [[]] | x :: r => flat_map (fun z => map (cons (x + z)%Z) (box tau r)) (span tau) end.
Lemma box_in tau xs : forall ys, In ys (box tau xs) <-> within tau xs ys.
Proof.
  induction xs as [|x xs IH]; intros ys; simpl.
  - split.
    + intros [<-|[]]. constructor.
    + intros H. inversion H. auto.
  - rewrite in_flat_map. split.
    + intros (z & I & J). apply in_map_iff in J. destruct J as (t & <- & J). apply span_in in I. constructor.
      * replace (x + z - x)%Z with z by ring. auto.
      * apply IH; auto.
    + intros H. inversion H as [|a y b t Y T]; subst. exists (y - x)%Z. split. apply span_in; auto.
      apply in_map_iff. exists t. split. f_equal; ring. apply IH; auto.
Qed.
Lemma nodup_flat_map {A B} (h : A -> list B) l : NoDup l -> (forall a, NoDup (h a)) ->
  (forall a a' y, In y (h a) -> In y (h a') -> a = a') -> NoDup (flat_map h l).
Proof.
  intros N H D. induction N as [|a l NI N IH]; simpl. constructor. assert (Ha := H a).
  assert (X : forall y, In y (h a) -> ~ In y (flat_map h l)).
  { intros y I J. apply in_flat_map in J. destruct J as (a' & I' & J). assert (a = a') by (eapply D; eauto).
    subst; contradiction. }
  revert Ha X. generalize (h a) as c. induction c as [|y c IHc]; simpl; intros Ha X; auto. inversion Ha; subst.
  constructor; auto. rewrite in_app_iff. intros [I|I]; auto. apply (X y); auto.
Qed.
Lemma box_nodup tau xs : NoDup (box tau xs).
Proof.
  induction xs as [|x xs IH]; simpl. repeat constructor; auto. apply nodup_flat_map. apply span_nodup.
  - intros z. apply nodup_map; auto. intros a b _ _ E; injection E; auto.
  - intros z z' y I J. apply in_map_iff in I. apply in_map_iff in J. destruct I as (t & <- & _), J as (t' & E & _).
    injection E as E _. lia.
Qed.
Lemma probability_finite {A} (p : A -> R) (E : A -> Prop) L : (forall a, 0 <= p a) -> NoDup L ->
  (forall a, In a L <-> E a) -> probability p E (lsum L p).
Proof.
  intros P N I. split.
  - intros s (l & Nl & Il & ->). apply lsum_incl; auto. intros a J _. apply I, Il; auto.
  - intros u U. apply U. exists L. repeat split; auto. intros a. apply I.
Qed.
Lemma box_sum q tau xs : lsum (box tau xs) (noises q xs) = lsum (span tau) q ^ length xs.
Proof.
  induction xs as [|x xs IH]; cbn [box length pow]. simpl; lra. rewrite lsum_flat_map.
  rewrite (lsum_ext (span tau) _ (fun z => lsum (box tau xs) (noises q xs) * q z)).
  - rewrite lsum_scal, IH. ring.
  - intros z _. rewrite lsum_map. cbn [noises]. rewrite lsum_scal. replace (x + z - x)%Z with z by ring. ring.
Qed.
Theorem all_within q tau xs : law q -> probability (noises q xs) (within tau xs) (lsum (span tau) q ^ length xs).
Proof.
  intros H. rewrite <- box_sum. apply probability_finite.
  - apply (noises_law q xs H).
  - apply box_nodup.
  - apply box_in.
Qed.

(* ---- the tails ---- *)
Lemma bernoulli x k : 0 <= x <= 1 -> 1 - INR k * (1 - x) <= x ^ k.
Proof.
  intros H. induction k. simpl; lra. rewrite S_INR. cbn [pow]. assert (0 <= INR k) by apply pos_INR.
  assert (x * (1 - INR k * (1 - x)) <= x * x ^ k) by (apply Rmult_le_compat_l; lra).
  assert (0 <= INR k * ((1 - x) * (1 - x))) by (apply Rmult_le_pos; auto; apply Rmult_le_pos; lra). lra.
Qed.
(* the event has at least this probability *)
Definition likely {A} (p : A -> R) (E : A -> Prop) (least : R) := exists x, probability p E x /\ least <= x.
Lemma likely_imp {A} (p : A -> R) (E F : A -> Prop) c : law p -> (forall a, E a -> F a) -> likely p E c -> likely p F c.
Proof.
  intros H I (x & (_ & L) & C). destruct (probability_exists p H F) as (y & (U & Ly) & _). exists y.
  split; [split; auto|].
  apply Rle_trans with x; auto. apply L. intros s (l & N & J & ->). apply U. exists l. auto.
Qed.
Theorem union_bound q tau xs : law q ->
  likely (noises q xs) (within tau xs) (1 - INR (length xs) * (1 - lsum (span tau) q)).
Proof.
  intros H. eexists. split. apply all_within; auto. apply bernoulli. split.
  - apply lsum_nonneg. intros a _. apply H.
  - apply law_at_most; auto. apply span_nodup.
Qed.
Theorem laplace_tail s tau : 0 < s -> 1 - lsum (span tau) (laplace s) = 2 * exp (- s) ^ S tau / (1 + exp (- s)).
Proof. intros Hs. rewrite laplace_span by auto. lra. Qed.
Theorem rounded_tail v tau : 0 < v -> 1 - lsum (span tau) (rounded v) = 1 - 2 * area v (INR tau + / 2) / whole v.
Proof. intros Hv. rewrite rounded_span by auto. reflexivity. Qed.
(* Proposition A.1: tau >= b ln (m / beta), where the scale b is 1 / s *)
Theorem laplace_within s tau xs beta : 0 < s -> 0 < beta -> xs <> [] -> ln (INR (length xs) / beta) / s <= INR tau ->
  likely (noises (laplace s) xs) (within tau xs) (1 - beta).
Proof.
  intros Hs Hb NE T. destruct (union_bound (laplace s) tau xs (laplace_law s Hs)) as (x & P & B).
  exists x. split; auto. eapply Rle_trans; [|exact B]. rewrite laplace_tail by auto. set (a := exp (- s)).
  assert (A := decay_range s Hs). fold a in A. set (m := INR (length xs)) in *.
  assert (M : 0 < m) by (apply lt_0_INR; destruct xs; [congruence|simpl; lia]).
  assert (D : a ^ tau <= beta / m).
  { unfold a. rewrite <- (decay_pow s), <- INR_IZR_INZ.
    rewrite <- (exp_ln (beta / m)) by (apply Rdiv_lt_0_compat; auto).
    apply exp_le. replace (beta / m) with (/ (m / beta)) by (field; lra).
    rewrite ln_Rinv by (apply Rdiv_lt_0_compat; auto).
    apply Rmult_le_compat_l with (r := s) in T; [|lra].
    replace (s * (ln (m / beta) / s)) with (ln (m / beta)) in T by (field; lra).
    lra. }
  assert (Q : 2 * a ^ S tau / (1 + a) <= a ^ tau).
  { apply Rmult_le_reg_r with (1 + a); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. simpl.
    assert (0 < a ^ tau) by (apply pow_lt; lra). nra. }
  assert (m * (2 * a ^ S tau / (1 + a)) <= m * (beta / m)) by (apply Rmult_le_compat_l; lra).
  replace (m * (beta / m)) with beta in H by (field; lra). lra.
Qed.

(* ---- Proposition A.3 with its probability, for noise of any law ---- *)
Lemma within_index tau xs ys : within tau xs ys -> py_len ys = py_len xs /\
  forall p, (0 <= p < py_len xs)%Z -> (Z.abs (py_index ys p - py_index xs p) <= Z.of_nat tau)%Z.
Proof.
  intros H. assert (L : length xs = length ys) by (induction H; simpl; auto). split. unfold py_len. lia. intros p P.
  rewrite !index_coord by lia.
  assert (N : (Z.to_nat p < length xs)%nat) by (unfold py_len in P; lia). clear P. revert N.
  generalize (Z.to_nat p). induction H; intros [|n] N; simpl in *; try lia; unfold coord in *; simpl; auto.
  apply IHForall2; lia.
Qed.
Section Admission.
Variables (q : Z -> R) (tau : nat) (L : Z) (xs : list Z) (c : R).
Hypothesis Hq : law q.
Hypothesis HL : (0 <= L)%Z.
Hypothesis Hc : likely (noises q xs) (within tau xs) c.
Theorem loss_likely : likely (noises q xs) (fun ys => (mass_at xs (highest xs L) - mass_at xs (highest ys L) <=
  2 * Z.of_nat tau * Z.min L (Z.max 0 (py_len xs - L)))%Z) c.
Proof.
  eapply likely_imp; [apply noises_law; auto| |exact Hc]. intros ys W. destruct (within_index tau xs ys W) as (E & I).
  apply highest_loss_sharp; auto. lia.
Qed.
Theorem recovery_likely : (forall a b, In a (highest xs L) -> (0 <= b < py_len xs)%Z -> ~ In b (highest xs L) ->
    (py_index xs a - py_index xs b > 2 * Z.of_nat tau)%Z) ->
  likely (noises q xs) (fun ys => forall p, In p (highest xs L) <-> In p (highest ys L)) c.
Proof.
  intros G. eapply likely_imp; [apply noises_law; auto| |exact Hc]. intros ys W.
  destruct (within_index tau xs ys W) as (E & I). apply (highest_recovery xs ys L (Z.of_nat tau)); auto.
Qed.
(* the margin 2 tau: where one mass is shown above another, it is not below it *)
Theorem margin_likely : likely (noises q xs) (fun ys => forall a b, (0 <= a < py_len xs)%Z -> (0 <= b < py_len xs)%Z ->
  compare (py_index ys a) (py_index ys b) (2 * Z.of_nat tau) = 1%Z -> (py_index xs b <= py_index xs a)%Z) c.
Proof.
  eapply likely_imp; [apply noises_law; auto| |exact Hc]. intros ys W. destruct (within_index tau xs ys W) as (_ & I).
  intros a b A B. unfold compare. destruct (Z.geb_spec (py_index ys a - py_index ys b) (Z.max (2 * Z.of_nat tau) 1)).
  - intros _. assert (Ia := I a A). assert (Ib := I b B). lia.
  - destruct (_ >=? _)%Z; discriminate.
Qed.
End Admission.
