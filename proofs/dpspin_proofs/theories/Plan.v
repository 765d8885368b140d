(* What the checks of a plan mean: the verifier accepts exactly the supported claims.

   releases ahead has_rank reached in_bin nearest_even             the statements, without the kernel's functions
   counted                                                         entries in a bin, which bin_spec describes
   admitted_spec mass_spec rank_spec bin_spec rounded_spec         what each function decides
   compare_spec count_spec claim_supported_iff                     and what they decide together
   claim_never_raises                                              positive denominators make no call raise *)
From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records.
Import ListNotations.
Open Scope Z_scope.

Notation plan := (list (Z * Z)).
(* the plan releases atom a exactly once, with mass m *)
Definition releases (p : plan) (a m : Z) := exists l r, p = l ++ (a, m) :: r /\ ~ In a (map fst l) /\ ~ In a (map fst
  r).
Definition ahead (e f : Z * Z) := snd f < snd e \/ (snd e = snd f /\ fst e < fst f).
Definition has_rank (p : plan) (a m x : Z) := exists l r, Permutation p (l ++ (a, m) :: r) /\ x = 1 + py_len l /\
  Forall (fun e => ahead e (a, m)) l /\ Forall (fun e => ahead (a, m) e) r.
(* x cuts are reached: cut / scale <= mass / denominator exactly for the first x *)
Definition reached (m den : Z) (cuts : list Z) (scale x : Z) := 0 <= x <= py_len cuts /\
  forall i, 0 <= i < py_len cuts -> (i < x <-> py_index cuts i * den <= m * scale).
Definition in_bin (m floor den : Z) (cuts : list Z) (scale x : Z) :=
  (m <= floor /\ x = 0) \/ (floor < m /\ reached m den cuts scale (x - 1)).
(* v / s is the fraction n / d rounded to s-ths, a half to the even v *)
Definition nearest_even (n d s v : Z) := 2 * Z.abs (v * d - n * s) <= d /\ (2 * Z.abs (v * d - n * s) = d -> v mod 2 =
  0).

Lemma entry_filter a (p : plan) : filter (fun '(n, _) => n =? a) p = filter (fun e => fst e =? a) p.
Proof. apply filter_ext. intros (n & m); auto. Qed.
Lemma filter_empty a (p : plan) : filter (fun e => fst e =? a) p = [] <-> ~ In a (map fst p).
Proof.
  induction p as [|(n & m) p IH]; simpl. tauto. destruct (Z.eqb_spec n a) as [->|N].
  - split; [discriminate|]. intros H; exfalso; apply H; auto.
  - rewrite IH. tauto.
Qed.
Lemma releases_filter p a m : releases p a m <-> filter (fun e => fst e =? a) p = [(a, m)].
Proof.
  split.
  - intros (l & r & -> & L & R). apply filter_empty in L. apply filter_empty in R. rewrite filter_app. simpl.
    rewrite L, R, Z.eqb_refl. reflexivity.
  - induction p as [|(n & k) p IH]; simpl; try discriminate. destruct (Z.eqb_spec n a) as [->|N]; intros H.
    + injection H as -> H. exists [], p. repeat split; auto. apply filter_empty; auto.
    + destruct (IH H) as (l & r & -> & L & R). exists ((n, k) :: l), r. repeat split; auto. simpl. tauto.
Qed.
Theorem admitted_spec p a : is_admitted p a = true <-> exists m, releases p a m.
Proof.
  unfold is_admitted, py_len. rewrite map_length, entry_filter, Z.eqb_eq. split.
  - intros H. destruct (filter (fun e => fst e =? a) p) as [|(n & m) [|]] eqn:E; simpl in H; try lia.
    assert (I : In (n, m) [(n, m)]) by (left; auto). rewrite <- E in I. apply filter_In in I. destruct I as (_ & I).
    simpl in I. apply Z.eqb_eq in I. subst. exists m. apply releases_filter; auto.
  - intros (m & R). apply releases_filter in R. rewrite R. reflexivity.
Qed.
Theorem mass_spec p a m : releases p a m -> mass_of p a = m.
Proof. intros R. apply releases_filter in R. unfold mass_of. rewrite entry_filter, R. unfold py_sum; simpl. lia. Qed.

Theorem rank_spec p a m : releases p a m -> forall x, x = rank_of p a <-> has_rank p a m x.
Proof.
  intros R. assert (M := mass_spec _ _ _ R). unfold rank_of. rewrite M.
  set (f := fun '(n, k) => _ : bool) || set (f := fun x : Z * Z => _).
  assert (F : forall e, f e = true <-> ahead e (a, m)).
  { intros (n & k). unfold f, ahead; simpl. rewrite orb_true_iff, andb_true_iff, Z.gtb_lt, Z.eqb_eq, Z.ltb_lt. lia. }
  assert (F' : forall e, f e = false -> e <> (a, m) -> fst e = a \/ ahead (a, m) e).
  { intros (n & k) E N. unfold ahead; simpl. destruct (Z.eq_dec n a); auto. right.
    assert (~ ahead (n, k) (a, m)) by (rewrite <- F, E; discriminate). unfold ahead in H; simpl in H. lia. }
  clearbody f.
  assert (U : forall l r, Permutation p (l ++ (a, m) :: r) -> Forall (fun e => ahead e (a, m)) l -> Forall (fun e =>
    ahead (a, m) e) r ->
     py_len (filter f p) = py_len l).
  { intros l r P L Rr. unfold py_len. rewrite (Permutation_length (perm_filter f _ _ P)), filter_app. simpl.
    replace (f (a, m)) with false by (symmetry; apply not_true_iff_false; rewrite F; unfold ahead; simpl; lia).
    rewrite app_length.
    replace (filter f l) with l. replace (filter f r) with (@nil (Z * Z)). simpl; lia.
    - symmetry. clear -Rr F. induction Rr as [|e r H Rr IH]; simpl; auto.
      replace (f e) with false; auto. symmetry; apply not_true_iff_false. rewrite F. unfold ahead in *. lia.
    - symmetry. clear -L F. induction L as [|e l H L IH]; simpl; auto. apply F in H. rewrite H. f_equal; auto. }
  intros x. unfold py_len at 1. rewrite map_length. change (Z.of_nat (length (filter f p))) with (py_len (filter f p)).
    split.
  - intros ->. destruct R as (l & r & -> & L & Rr). set (g := fun e => negb (f e)).
    assert (Sp : forall q : plan, Permutation q (filter f q ++ filter g q)).
    { unfold g. induction q as [|e q IH]; simpl; auto. destruct (f e); simpl; auto.
      eapply perm_trans; [apply perm_skip, IH|]. apply Permutation_middle. }
    assert (f (a, m) = false) by (apply not_true_iff_false; rewrite F; unfold ahead; simpl; lia).
    exists (filter f (l ++ r)), (filter g (l ++ r)).
    assert (EQ : filter f (l ++ (a, m) :: r) = filter f (l ++ r)) by (rewrite !filter_app; simpl; rewrite H; auto).
    rewrite EQ. repeat split; auto.
    + eapply perm_trans; [apply Permutation_sym, Permutation_middle|].
      eapply perm_trans; [apply perm_skip, Sp|]. apply Permutation_middle.
    + apply Forall_forall. intros e I. apply filter_In in I. apply F; tauto.
    + apply Forall_forall. intros e I. apply filter_In in I. destruct I as (I & G). unfold g in G. apply negb_true_iff
      in G.
      assert (NA : fst e <> a).
      { intros E. apply in_app_iff in I. destruct I as [I|I]; [apply L|apply Rr]; rewrite <- E; apply in_map; auto. }
      destruct (F' e G) as [E|E]; auto; try contradiction. intros E; subst e; apply NA; auto.
  - intros (l & r & P & -> & L & Rr). rewrite (U l r P L Rr). reflexivity.
Qed.

Lemma cuts_spec m den cuts scale : 0 < den -> StronglySorted Z.le cuts ->
  forall x, x = py_len (map (fun c => c) (filter (fun c => c * den <=? m * scale) cuts)) <-> reached m den cuts scale x.
Proof.
  intros Hd S. rewrite map_id. set (f := fun c => _ <=? _).
  assert (FS : forall c, f c = true <-> c * den <= m * scale) by (intros; apply Z.leb_le). clearbody f.
  assert (G : forall i, 0 <= i < py_len cuts -> (i < py_len (filter f cuts) <-> f (py_index cuts i) = true)).
  { assert (Mono : forall c d, c <= d -> f d = true -> f c = true).
    { intros c d H. rewrite !FS. nia. } clear m Hd FS.
    induction S as [|c l S IH F]; intros i H. { unfold py_len in H; simpl in H; lia. }
    assert (L1 : py_len (c :: l) = 1 + py_len l) by (unfold py_len; simpl length; lia). rewrite L1 in H. simpl filter.
    assert (N : f c = false -> filter f l = []).
    { intros E. clear -Mono E F. induction F as [|d l H F IH]; simpl; auto.
      destruct (f d) eqn:D; auto. rewrite (Mono c d H D) in E. discriminate. }
    rewrite index_coord by lia. unfold coord. destruct (Z.eq_dec i 0) as [->|NZ].
    - simpl. destruct (f c) eqn:E.
      + unfold py_len; simpl length. split; auto. lia.
      + rewrite (N eq_refl). unfold py_len; simpl. split; [lia|discriminate].
    - replace (Z.to_nat i) with (Datatypes.S (Z.to_nat (i - 1))) by lia. cbn [nth].
      specialize (IH (i - 1) ltac:(lia)). rewrite index_coord in IH by lia. unfold coord in IH. rewrite <- IH.
      destruct (f c) eqn:E.
      + assert (L2 : py_len (c :: filter f l) = 1 + py_len (filter f l)) by (unfold py_len; simpl length; lia). rewrite
        L2. lia.
      + rewrite (N eq_refl) in *. unfold py_len; simpl. lia. }
  assert (FL : 0 <= py_len (filter f cuts) <= py_len cuts).
  { unfold py_len. split. lia. apply Nat2Z.inj_le. clear. induction cuts; simpl; auto. destruct (f a); simpl; lia. }
  intros x. unfold reached. split.
  - intros ->. split; auto. intros i H. rewrite (G i H). apply FS.
  - intros (H & K). set (n := py_len (filter f cuts)) in *.
    assert (K' : forall i, 0 <= i < py_len cuts -> (i < x <-> i < n)).
    { intros i I. rewrite (K i I), (G i I). symmetry; apply FS. }
    destruct (Z.lt_trichotomy x n) as [T|[T|T]]; auto.
    + specialize (K' x ltac:(lia)). lia.
    + specialize (K' n ltac:(lia)). lia.
Qed.

Theorem bin_spec m floor den cuts scale : 0 < den -> StronglySorted Z.le cuts ->
  forall x, x = support_bin m floor den cuts scale <-> in_bin m floor den cuts scale x.
Proof.
  intros Hd S x. assert (C := cuts_spec m den cuts scale Hd S (x - 1)). unfold support_bin, in_bin.
  destruct (Z.leb_spec m floor); rewrite <- C; lia.
Qed.
Theorem rounded_spec n d s : 0 < d -> forall v, v = rounded n d s <-> nearest_even n d s v.
Proof.
  intros Hd v. unfold rounded, nearest_even. replace (2 * n * s + d) with (2 * (n * s) + d) by ring. set (N := n * s).
  assert (E := Z.div_mod (2 * N + d) (2 * d) ltac:(lia)). assert (R := Z.mod_pos_bound (2 * N + d) (2 * d) ltac:(lia)).
  set (q := (2 * N + d) / (2 * d)) in *. set (r := (2 * N + d) mod (2 * d)) in *. clearbody q r N.
  assert (P := Z.mod_pos_bound q 2 ltac:(lia)). assert (Q := Z.div_mod q 2 ltac:(lia)).
  assert (Pv := Z.mod_pos_bound v 2 ltac:(lia)). assert (Qv := Z.div_mod v 2 ltac:(lia)).
  destruct (Z.eqb_spec r 0) as [R0|R0]; destruct (Z.eqb_spec (q mod 2) 1) as [O|O]; cbn [andb];
  (split; [intros ->; split; [nia|intros; try nia; rewrite Zminus_mod, O; reflexivity]|
     intros (A & T); assert (D : v = q \/ v = q - 1) by nia; destruct D as [-> | ->]; try lia; exfalso]).
  all: try (assert (Z.abs (q * d - N) * 2 = d) by nia; lia).
  all: try (assert (Z.abs ((q - 1) * d - N) * 2 = d) by nia; lia).
  all: nia.
Qed.
Theorem compare_spec left right margin : compare left right margin = 1 <-> left - right >= Z.max margin 1.
Proof. unfold compare. rewrite !Z.geb_leb. destruct (Z.leb_spec (Z.max margin 1) (left - right)); [split; lia|].
  destruct (Z.leb_spec (Z.max margin 1) (right - left)); split; try discriminate; lia. Qed.

Definition counted (p : plan) floor den cuts scale (b : Z) : plan :=
  filter (fun e => (b =? -1) || (support_bin (snd e) floor den cuts scale =? b)) p.
Lemma count_spec p floor den cuts scale b :
  py_len (map (fun x => x) (filter (fun x => (b =? (- (1))) || (x =? b)) (map (fun '(_, m) => support_bin m floor den
    cuts scale) p)))
  = py_len (counted p floor den cuts scale b).
Proof.
  rewrite map_id. unfold counted, py_len. induction p as [|(n & m) p IH]; simpl; auto.
  change (- (1)) with (-1) in *. destruct ((b =? -1) || (support_bin m floor den cuts scale =? b)); simpl length; lia.
Qed.

(* the verifier accepts exactly the supported claims *)
Theorem claim_supported_iff p kind a b x unit margin floor den cuts scale : 0 < unit -> 0 < den -> StronglySorted Z.le
  cuts ->
  claim_supported p (kind, a, b, x) unit margin floor den cuts scale = true <->
  (kind = COUNT /\ x = py_len (counted p floor den cuts scale b)) \/
  exists m, releases p a m /\
    (kind = MENTION \/
     (kind = MASS /\ nearest_even m unit b x) \/
     (kind = SUPPORT /\ nearest_even (Z.max m 0) den b x) \/
     (kind = BIN /\ in_bin m floor den cuts scale x) \/
     (kind = RANK /\ has_rank p a m x) \/
     (kind = COMPARISON /\ exists m', releases p b m' /\ m - m' >= Z.max margin 1) \/
     (kind = SIMILARITY /\ exists m', releases p b m' /\ Z.abs (m - m') < margin)).
Proof.
  intros Hu Hd S. unfold claim_supported, COUNT, MENTION, MASS, SUPPORT, BIN, RANK, COMPARISON, SIMILARITY.
  destruct (Z.eqb_spec kind 8) as [->|K8].
  { rewrite Z.eqb_eq, count_spec. split; [auto|]. intros [(_ & H)|(m & _ & H)]; auto. intuition discriminate. }
  destruct (is_admitted p a) eqn:A; cbn [negb].
  2: { split; [discriminate|]. intros [(H & _)|(m & R & _)]; [lia|]. assert (is_admitted p a = true) by (apply
    admitted_spec; eauto). congruence. }
  apply admitted_spec in A. destruct A as (m & R). rewrite (mass_spec _ _ _ R).
  assert (One : forall m', releases p a m' -> m' = m) by (intros m' R'; rewrite <- (mass_spec _ _ _ R), <- (mass_spec _
    _ _ R'); auto).
  assert (Other : forall test (P : Z -> Prop), (forall m', test m' = true <-> P m') ->
    (is_admitted p b && test (mass_of p b) = true <-> exists m', releases p b m' /\ P m')).
  { intros test P T. rewrite andb_true_iff, admitted_spec. split.
    - intros ((m' & R') & H). exists m'. rewrite (mass_spec _ _ _ R') in H. split; auto. apply T; auto.
    - intros (m' & R' & H). split; eauto. rewrite (mass_spec _ _ _ R'). apply T; auto. }
  assert (E : forall Q : Z -> Prop, (exists m', releases p a m' /\ Q m') <-> Q m).
  { intros Q. split; [intros (m' & R' & H); rewrite (One _ R') in H; auto|eauto]. }
  rewrite E.
  assert (RK := rank_spec p a m R x). assert (BK := bin_spec m floor den cuts scale Hd S x).
  assert (MK := rounded_spec m unit b Hu x). assert (SK := rounded_spec (Z.max m 0) den b Hd x).
  assert (CK := Other (fun m' => compare m m' margin =? 1) (fun m' => m - m' >= Z.max margin 1) (fun m' => iff_trans
    (Z.eqb_eq _ _) (compare_spec m m' margin))).
  assert (IK := Other (fun m' => Z.abs (m - m') <? margin) (fun m' => Z.abs (m - m') < margin) (fun m' => Z.ltb_lt _
    _)).
  cbn beta in CK, IK.
  destruct (Z.eqb_spec kind 1) as [->|K1]. { split; auto. }
  destruct (Z.eqb_spec kind 2) as [->|K2]. { rewrite Z.eqb_eq, MK. intuition congruence. }
  destruct (Z.eqb_spec kind 3) as [->|K3]. { rewrite Z.eqb_eq, SK. intuition congruence. }
  destruct (Z.eqb_spec kind 4) as [->|K4]. { rewrite Z.eqb_eq, BK. intuition congruence. }
  destruct (Z.eqb_spec kind 7) as [->|K7]. { rewrite Z.eqb_eq, RK. intuition congruence. }
  destruct (Z.eqb_spec kind 5) as [->|K5]; cbn [andb].
  { rewrite <- CK. destruct (is_admitted p b); cbn [andb]; intuition congruence. }
  destruct (Z.eqb_spec kind 6) as [->|K6]; cbn [andb].
  { rewrite <- IK. destruct (is_admitted p b); cbn [andb]; intuition congruence. }
  split; [discriminate|]. intuition congruence.
Qed.
Theorem claim_never_raises p c unit margin floor den cuts scale : 0 < unit -> 0 < den ->
  claim_supported_safe p c unit margin floor den cuts scale = true.
Proof.
  intros Hu Hd. assert (RS : forall n d s, 0 < d -> rounded_safe n d s = true).
  { intros n d s H. unfold rounded_safe. replace (2 * d =? 0) with false by (symmetry; apply Z.eqb_neq; lia). cbn [negb
    andb].
    destruct (_ =? 0); reflexivity. }
  unfold claim_supported_safe. destruct c as (((k & a) & b) & x). rewrite !RS by auto.
  assert (F : forallb (fun '(_, m) => support_bin_safe m floor den cuts scale) p = true) by (apply forallb_forall;
    intros (n & m) _; reflexivity).
  rewrite F.
  repeat match goal with |- context [if ?e then _ else _] => destruct e end; reflexivity.
Qed.
