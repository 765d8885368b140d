(* Discrete probability: laws on any countable set of outcomes, events of any kind, and what an observer can learn.

   lsum                                   finite sums over lists
   probability law                        an event's probability is the supremum of its finite sums; a law has total one
   probability_exists                     every event of a law has a probability, at most one
   ratio close                            the privacy loss: no outcome's probability changes by more than exp eps
   indistinct close_events                nor does that of any event about anything computed from the outcome
   joint law_joint close_joint            a second draw that depends on the first, its law and its privacy loss
   joint_sum probability_joint            an event that is as likely whatever the first draw is
   law_transfer law_finite                laws carried over by a renaming of outcomes; laws on finite sets *)
From Coq Require Import Reals Lra Lia List.
Import ListNotations.
Open Scope R_scope.

(* ---- finite sums ---- *)
Definition lsum {A} (l : list A) (f : A -> R) : R := fold_right (fun a s => f a + s) 0 l.
Lemma lsum_le {A} (l : list A) f g : (forall a, In a l -> f a <= g a) -> lsum l f <= lsum l g.
Proof. induction l; simpl; intros H. lra. apply Rplus_le_compat; auto. Qed.
Lemma lsum_ext {A} (l : list A) f g : (forall a, In a l -> f a = g a) -> lsum l f = lsum l g.
Proof. induction l; simpl; intros H; auto. rewrite H, IHl; auto. Qed.
Lemma lsum_scal {A} (l : list A) c f : lsum l (fun a => c * f a) = c * lsum l f.
Proof. induction l; simpl. lra. rewrite IHl; lra. Qed.
Lemma lsum_nonneg {A} (l : list A) f : (forall a, In a l -> 0 <= f a) -> 0 <= lsum l f.
Proof. induction l; simpl; intros H. lra. assert (0 <= f a) by auto. assert (0 <= lsum l f) by auto. lra. Qed.
Lemma lsum_app {A} (f : A -> R) a b : lsum (a ++ b) f = lsum a f + lsum b f.
Proof. induction a; simpl. lra. rewrite IHa; lra. Qed.
Lemma lsum_map {A B} (f : B -> R) (h : A -> B) l : lsum (map h l) f = lsum l (fun a => f (h a)).
Proof. induction l; simpl; auto. rewrite IHl; auto. Qed.
Lemma lsum_flat_map {A B} (f : B -> R) (h : A -> list B) l : lsum (flat_map h l) f = lsum l (fun a => lsum (h a) f).
Proof. induction l; simpl; auto. rewrite lsum_app, IHl; auto. Qed.
(* a longer list has a larger sum; terms that are zero may be missing from it *)
Lemma lsum_incl {A} (f : A -> R) : (forall a, 0 <= f a) -> forall l b, NoDup l ->
  (forall a, In a l -> f a <> 0 -> In a b) -> lsum l f <= lsum b f.
Proof.
  intros P l; induction l as [|a l IH]; intros b N I.
  - apply lsum_nonneg; auto.
  - inversion N; subst. cbn [lsum fold_right]. fold (lsum l f). destruct (Req_dec (f a) 0) as [Z0|NZ].
    + rewrite Z0, Rplus_0_l. apply IH; auto. intros x Ix; apply I; right; auto.
    + assert (Ia : In a b) by (apply I; auto; left; auto). apply in_split in Ia. destruct Ia as (b1 & b2 & ->).
      assert (K : lsum l f <= lsum (b1 ++ b2) f).
      { apply IH; auto. intros x Ix Nx. assert (J : In x (b1 ++ a :: b2)) by (apply I; auto; right; auto).
        apply in_app_iff in J. apply in_app_iff. simpl in J. destruct J as [J|[J|J]]; auto. subst; contradiction. }
      rewrite lsum_app in *. simpl. fold (lsum b2 f). lra.
Qed.
Lemma nodup_map {A B} (h : A -> B) l : (forall a a', In a l -> In a' l -> h a = h a' -> a = a') -> NoDup l ->
  NoDup (map h l).
Proof.
  intros Inj N. induction N as [|a l NI N IH]; simpl; constructor.
  - intros I. apply in_map_iff in I. destruct I as (y & E & I). rewrite (Inj y a) in I; simpl; auto.
  - apply IH. intros x y X Y. apply Inj; simpl; auto.
Qed.

(* ---- laws ---- *)
Definition probability {A} (p : A -> R) (E : A -> Prop) (x : R) : Prop :=
  is_lub (fun s => exists l, NoDup l /\ (forall a, In a l -> E a) /\ s = lsum l p) x.
Definition law {A} (p : A -> R) : Prop := (forall a, 0 <= p a) /\ probability p (fun _ => True) 1.

Lemma law_at_most {A} (p : A -> R) l : law p -> NoDup l -> lsum l p <= 1.
Proof. intros (_ & U & _) N. apply U. exists l; auto. Qed.
Lemma law_intro {A} (p : A -> R) : (forall a, 0 <= p a) -> (forall l, NoDup l -> lsum l p <= 1) ->
  (forall u, (forall l, NoDup l -> lsum l p <= u) -> 1 <= u) -> law p.
Proof.
  intros P U L. split; auto. split.
  - intros s (l & N & _ & ->). auto.
  - intros u H. apply L. intros l N. apply H. exists l; auto.
Qed.
Lemma law_least {A} (p : A -> R) u : law p -> (forall l, NoDup l -> lsum l p <= u) -> 1 <= u.
Proof. intros (_ & _ & L) H. apply L. intros s (l & N & _ & ->). auto. Qed.

Lemma probability_exists {A} (p : A -> R) : law p -> forall E, exists x, probability p E x /\ 0 <= x <= 1.
Proof.
  intros H E. destruct (completeness (fun s => exists l, NoDup l /\ (forall a, In a l -> E a) /\ s = lsum l p))
    as (x & U & L).
  - exists 1. intros s (l & N & _ & ->). apply law_at_most; auto.
  - exists 0, []. repeat split; auto. constructor. intros a [].
  - exists x. split; [split; auto|]. split.
    + apply U. exists []. repeat split. constructor. intros a [].
    + apply L. intros s (l & N & _ & ->). apply law_at_most; auto.
Qed.

(* ---- privacy loss ---- *)
Definition ratio {A} (eps : R) (p p' : A -> R) := forall a, p a <= exp eps * p' a.
(* two laws of which no observer can tell one from the other by more than exp eps *)
Definition close {A} (eps : R) (p p' : A -> R) := law p /\ law p' /\ ratio eps p p' /\ ratio eps p' p.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H|H]; [left; apply exp_increasing; auto|rewrite H; lra]. Qed.
Lemma ratio_weaken {A} e e' (p p' : A -> R) : (forall a, 0 <= p' a) -> e <= e' -> ratio e p p' -> ratio e' p p'.
Proof. intros P L H a. eapply Rle_trans. apply H. apply Rmult_le_compat_r; auto. apply exp_le; auto. Qed.
Theorem close_weaken {A} e e' (p p' : A -> R) : e <= e' -> close e p p' -> close e' p p'.
Proof.
  intros L (H & H' & R1 & R2). split; [|split; [|split]]; auto.
  - apply ratio_weaken with e; auto. apply H'.
  - apply ratio_weaken with e; auto. apply H.
Qed.
Lemma close_sym {A} e (p p' : A -> R) : close e p p' -> close e p' p.
Proof. intros (H & H' & R1 & R2). split; [|split; [|split]]; auto. Qed.
Lemma ratio_event {A} eps (p p' : A -> R) E x x' :
  ratio eps p p' -> probability p E x -> probability p' E x' -> x <= exp eps * x'.
Proof.
  intros H (_ & L) (U' & _). apply L. intros s (l & N & I & ->).
  apply Rle_trans with (exp eps * lsum l p').
  - rewrite <- lsum_scal. apply lsum_le; auto.
  - apply Rmult_le_compat_l. left; apply exp_pos. apply U'. exists l; auto.
Qed.

(* what an observer of f can tell: every event has a probability under both laws, and they differ by at most exp eps *)
Definition indistinct {A Y} (eps : R) (f : A -> Y) (p p' : A -> R) := forall E : Y -> Prop, exists x x',
  probability p (fun a => E (f a)) x /\ probability p' (fun a => E (f a)) x' /\ 0 <= x <= 1 /\ 0 <= x' <= 1 /\
  x <= exp eps * x' /\ x' <= exp eps * x.
Theorem close_events {A Y} eps (p p' : A -> R) (f : A -> Y) : close eps p p' -> indistinct eps f p p'.
Proof.
  intros (H & H' & R1 & R2) E. destruct (probability_exists p H (fun a => E (f a))) as (x & X & B).
  destruct (probability_exists p' H' (fun a => E (f a))) as (x' & X' & B').
  exists x, x'. assert (x <= exp eps * x') by (eapply (ratio_event eps p p'); eauto).
  assert (x' <= exp eps * x) by (eapply (ratio_event eps p' p); eauto). auto 7.
Qed.

(* ---- a second draw whose law may depend on the first ---- *)
Definition joint {A W} (p : A -> R) (k : A -> W -> R) : A * W -> R := fun o => p (fst o) * k (fst o) (snd o).

Section Group.
Context {A W : Type} (same : forall a b : A, {a = b} + {a <> b}).
Let second (l : list (A * W)) a := map snd (filter (fun o => if same (fst o) a then true else false) l).
Lemma second_nodup l a : NoDup l -> NoDup (second l a).
Proof.
  intros N. unfold second. apply nodup_map.
  - intros (x & w) (y & w') I J. apply filter_In in I. apply filter_In in J. destruct I as (_ & I), J as (_ & J).
    simpl in *. destruct (same x a), (same y a); try discriminate. intros ->. congruence.
  - apply NoDup_filter; auto.
Qed.
Lemma second_in l a w : In w (second l a) -> In (a, w) l.
Proof.
  intros I. apply in_map_iff in I. destruct I as ((x & w') & <- & I). apply filter_In in I. destruct I as (I & J).
  simpl in *. destruct (same x a); [subst; auto|discriminate].
Qed.
(* a sum over pairs, grouped by their first halves *)
Lemma joint_sum (f : A -> R) (g : A -> W -> R) c d l : (forall a, 0 <= f a) -> (forall a w, 0 <= g a w) -> 0 <= d ->
  (forall l, NoDup l -> lsum l f <= c) -> NoDup l ->
  (forall a ws, f a <> 0 -> NoDup ws -> (forall w, In w ws -> In (a, w) l) -> lsum ws (g a) <= d) ->
  lsum l (joint f g) <= c * d.
Proof.
  intros F G D C N X. set (group := nodup same (map fst l)).
  apply Rle_trans with (lsum (flat_map (fun a => map (pair a) (second l a)) group) (joint f g)).
  - apply lsum_incl; auto. intros o. apply Rmult_le_pos; auto. intros (a & w) I _. apply in_flat_map. exists a. split.
    + apply nodup_In, (in_map fst _ _ I).
    + apply in_map. unfold second. apply in_map_iff. exists (a, w). split; auto. apply filter_In. split; auto.
      simpl. destruct (same a a); auto; contradiction.
  - rewrite lsum_flat_map. apply Rle_trans with (d * lsum group f).
    + rewrite <- lsum_scal. apply lsum_le. intros a _. rewrite lsum_map. unfold joint; cbn [fst snd].
      rewrite lsum_scal, Rmult_comm. destruct (Req_dec (f a) 0) as [Z0|NZ]; [rewrite Z0; lra|].
      apply Rmult_le_compat_r; auto. apply X; auto using second_nodup. intros w. apply second_in.
    + rewrite Rmult_comm. apply Rmult_le_compat_r; auto. apply C, NoDup_nodup.
Qed.
End Group.

Section Joint.
Context {A W : Type} (same : forall a b : A, {a = b} + {a <> b}).
Variables (p : A -> R) (k : A -> W -> R).
Hypothesis Hp : law p.
Hypothesis Hk : forall a, law (k a).
Lemma joint_nonneg o : 0 <= joint p k o.
Proof. unfold joint. apply Rmult_le_pos. apply Hp. apply (Hk (fst o)). Qed.

(* an event that has probability x whatever the first draw is *)
Section Event.
Variables (E : A * W -> Prop) (x : R).
Hypothesis Hx : forall a, p a <> 0 -> probability (k a) (fun w => E (a, w)) x.
Hypothesis positive : 0 <= x.
Lemma joint_at_most l : NoDup l -> (forall o, In o l -> E o) -> lsum l (joint p k) <= x.
Proof.
  intros N IE. rewrite <- (Rmult_1_l x). apply joint_sum; auto.
  - apply Hp.
  - intros a. apply (Hk a).
  - intros l' N'. apply law_at_most; auto.
  - intros a ws NZ Nw I. apply (Hx a NZ). exists ws. auto.
Qed.
Lemma joint_least u : (forall l, NoDup l -> (forall o, In o l -> E o) -> lsum l (joint p k) <= u) -> x <= u.
Proof.
  intros H. assert (U0 : 0 <= u) by (apply (H []); [constructor|intros o []]).
  destruct positive as [X|<-]; auto. apply Rmult_le_reg_r with (/ x). apply Rinv_0_lt_compat; auto.
  rewrite Rinv_r by lra. apply (law_least p); auto. intros l N. apply Rmult_le_reg_l with x; auto.
  replace (x * (u * / x)) with u by (field; lra).
  assert (G : forall acc, NoDup acc -> (forall o, In o acc -> E o /\ ~ In (fst o) l) ->
    lsum acc (joint p k) + x * lsum l p <= u).
  { induction l as [|a l IH]; intros acc Na D.
    - simpl. rewrite Rmult_0_r, Rplus_0_r. apply H; auto. intros o I. apply (D o I).
    - inversion N; subst. cbn [lsum fold_right]. fold (lsum l p).
      destruct (proj1 Hp a) as [Pa|Za].
      2:{ rewrite <- Za, Rplus_0_l. apply IH; auto. intros o I. destruct (D o I) as (Eo & No). split; auto.
          intros J. apply No. right; auto. }
      assert (K : x <= (u - lsum acc (joint p k) - x * lsum l p) / p a).
      { apply (Hx a ltac:(lra)). intros t (ws & Nw & Ew & ->). apply Rmult_le_reg_r with (p a); auto. unfold Rdiv.
        rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
        assert (Q : lsum (map (pair a) ws ++ acc) (joint p k) + x * lsum l p <= u).
        { apply IH; auto.
          - assert (Da : forall w, ~ In (a, w) acc) by (intros w I; apply (D _ I); left; auto).
            clear IH Ew. induction Nw as [|w ws NI Nw IH]; simpl; auto. constructor; auto.
            rewrite in_app_iff. intros [I|I]; [|apply (Da w); auto]. apply in_map_iff in I.
            destruct I as (w' & Q & I). injection Q as ->. auto.
          - intros o I. apply in_app_iff in I. destruct I as [I|I].
            + apply in_map_iff in I. destruct I as (w & <- & I). auto.
            + destruct (D o I) as (Eo & No). split; auto. intros J. apply No. right; auto. }
        rewrite lsum_app, lsum_map in Q. unfold joint at 1 in Q; cbn [fst snd] in Q. rewrite lsum_scal in Q. lra. }
      apply Rmult_le_compat_r with (r := p a) in K; [|lra]. unfold Rdiv in K.
      rewrite Rmult_assoc, Rinv_l, Rmult_1_r in K by lra. lra. }
  specialize (G [] ltac:(constructor) ltac:(intros o [])). simpl in G. lra.
Qed.
Lemma probability_joint : probability (joint p k) E x.
Proof.
  split.
  - intros t (l & N & I & ->). apply joint_at_most; auto.
  - intros u H. apply joint_least. intros l N I. apply H. exists l; auto.
Qed.
End Event.
Lemma law_joint : law (joint p k).
Proof. split. apply joint_nonneg. apply probability_joint; [|lra]. intros a _. apply (Hk a). Qed.
End Joint.

Lemma ratio_joint {A W} eps (p p' : A -> R) (k : A -> W -> R) : (forall a w, 0 <= k a w) -> ratio eps p p' ->
  ratio eps (joint p k) (joint p' k).
Proof. intros K H (a & w). unfold joint; cbn [fst snd]. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; auto. Qed.
Lemma close_joint {A W} (same : forall a b : A, {a = b} + {a <> b}) eps (p p' : A -> R) (k : A -> W -> R) :
  (forall a, law (k a)) -> close eps p p' -> close eps (joint p k) (joint p' k).
Proof.
  intros K (H & H' & R1 & R2).
  assert (K0 : forall a w, 0 <= k a w) by (intros a; apply (K a)).
  split; [|split; [|split]]; auto using law_joint, ratio_joint.
Qed.

(* ---- laws carried over by a renaming of outcomes ---- *)
Lemma law_transfer {A B} (h : A -> B) (p : A -> R) (q : B -> R) : law p -> (forall a a', h a = h a' -> a = a') ->
  (forall a, q (h a) = p a) -> (forall b, q b = 0 \/ exists a, b = h a) -> law q.
Proof.
  intros H Inj E Z. apply law_intro.
  - intros b. destruct (Z b) as [->|(a & ->)]. lra. rewrite E. apply H.
  - intros l N. assert (G : exists l', NoDup l' /\ (forall a, In a l' -> In (h a) l) /\ lsum l q = lsum l' p).
    { induction N as [|b l NI N IH]. exists []. repeat split; auto. constructor.
      destruct IH as (l' & N' & I & S). destruct (Z b) as [Z0|(a & ->)].
      - exists l'. simpl. rewrite Z0, S. repeat split; auto. lra.
      - exists (a :: l'). simpl. rewrite E, S. repeat split.
        + constructor; auto.
        + intros x [->|J]; auto. }
    destruct G as (l' & N' & _ & ->). apply law_at_most; auto.
  - intros u U. apply (law_least p); auto. intros l N. specialize (U (map h l)). rewrite lsum_map in U.
    rewrite (lsum_ext l p (fun a => q (h a))) by auto. apply U. apply nodup_map; auto.
Qed.
Lemma law_finite {A} (p : A -> R) U : NoDup U -> (forall a, 0 <= p a) -> (forall a, p a <> 0 -> In a U) ->
  lsum U p = 1 -> law p.
Proof.
  intros N P I T. apply law_intro; auto.
  - intros l Nl. rewrite <- T. apply lsum_incl; auto.
  - intros u H. rewrite <- T. auto.
Qed.
