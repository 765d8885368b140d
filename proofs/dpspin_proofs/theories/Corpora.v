(* Corpora that show the bounds to be sharp: records with all mass on one atom.

   spike spike_coord spike_clip             such a record, which the bound does not clip
   corpus corpus_scores corpus_*            many of them, their sketch, and the relations between such corpora
   bounds_reached                           two corpora whose sketches differ by Delta_1, and by Delta_2 *)
From Coq Require Import ZArith List Bool Lia Permutation FunctionalExtensionality.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Neighbours.
Import ListNotations.
Open Scope Z_scope.

Section Corpus.
Variables (b w : Z).
Hypothesis Hb : (0 < b)%Z.
Definition spike (atom : nat) : list Z := map (fun j => if (j =? Z.of_nat atom)%Z then b else 0%Z) (py_range w).
Lemma spike_coord a j : (a < Z.to_nat w)%nat -> coord (spike a) j = if Nat.eq_dec j a then b else 0%Z.
Proof.
  intros H. unfold coord, spike. destruct (Nat.lt_ge_cases j (Z.to_nat w)) as [J|J].
  - set (f := fun _ => _). rewrite (nth_indep _ 0%Z (f 0%Z)) by (rewrite map_length, range_length; auto).
    rewrite map_nth, range_nth by auto. unfold f.
    destruct (Nat.eq_dec j a), (Z.eqb_spec (Z.of_nat j) (Z.of_nat a)); auto; lia.
  - rewrite nth_overflow by (rewrite map_length, range_length; auto). destruct (Nat.eq_dec j a); auto. lia.
Qed.
Lemma spike_clip a : (a < Z.to_nat w)%nat -> clip (spike a) b = spike a.
Proof.
  intros H. apply clip_identity.
  - unfold nonneg, spike. apply Forall_forall. intros x I. apply in_map_iff in I. destruct I as (j & <- & _).
    destruct (_ =? _)%Z; lia.
  - rewrite sum_zsum. assert (E := msum_app_list (spike a)). rewrite <- E.
    assert (G : forall n, (msum n (coord (spike a)) <= b /\ ((n <= a)%nat -> msum n (coord (spike a)) = 0))%Z).
    { induction n as [|n (IH & IZ)]; simpl. lia. rewrite spike_coord by auto. destruct (Nat.eq_dec n a) as [->|N].
      - rewrite IZ by lia. lia.
      - split. lia. intros K. rewrite IZ by lia. lia. }
    apply G.
Qed.
(* n records on atom 1, one more if `more`, and one on atom 0 if `first` *)
Definition corpus (first more : bool) (n : nat) : list (list Z) :=
  (if first then [spike 0] else []) ++ (if more then [spike 1] else []) ++ repeat (spike 1) n.
Definition scores (first more : bool) (n : nat) (j : nat) : Z :=
  match j with
  | O => if first then b else 0%Z
  | S O => (Z.of_nat n * b + (if more then b else 0))%Z
  | _ => 0%Z
  end.
Lemma corpus_scores first more n : (1 < w)%Z -> coord (sketch (corpus first more n) b w) = scores first more n.
Proof.
  intros W. assert (K : forall a D j, (a < Z.to_nat w)%nat ->
    coord (sketch (spike a :: D) b w) j = (coord (sketch D b w) j + if Nat.eq_dec j a then b else 0)%Z).
  { intros a D j H. rewrite sketch_cons, spike_clip by auto. unfold below. rewrite spike_coord by auto.
    destruct (Nat.ltb_spec j (Z.to_nat w)); auto. destruct (Nat.eq_dec j a); auto. lia. }
  assert (P : forall j, coord (sketch (repeat (spike 1) n) b w) j = scores false false n j).
  { induction n as [|n IH]; intros j.
    - simpl. rewrite sketch_coord. unfold below, zsketch, scores. simpl.
      destruct (_ <? _)%nat, j as [|[|]]; reflexivity.
    - cbn [repeat]. rewrite K by lia. rewrite IH. unfold scores.
      destruct j as [|[|]]; simpl (Nat.eq_dec _ _); cbv iota; lia. }
  apply functional_extensionality. intros j. unfold corpus.
  destruct first, more; cbn [app]; repeat rewrite K by lia; rewrite P; unfold scores;
    destruct j as [|[|]]; simpl (Nat.eq_dec _ _); cbv iota; lia.
Qed.
Lemma corpus_add n : record_adjacent add_drop (corpus false false n) (corpus false true n).
Proof. exists (spike 1). left. apply Permutation_refl. Qed.
Lemma corpus_drop n : record_adjacent add_drop (corpus true false n) (corpus false false n).
Proof. exists (spike 0). right. apply Permutation_refl. Qed.
Lemma corpus_replace n : record_adjacent replacement (corpus true false n) (corpus false true n).
Proof. exists (spike 0), (spike 1), (repeat (spike 1) n). split; apply Permutation_refl. Qed.
End Corpus.

(* ---- the sensitivities are attained ---- *)
Lemma psum_rest k f : (forall a, (2 <= a)%nat -> f a = 0%Z) -> psum (seq 2 k) f = 0%Z.
Proof.
  intros H. assert (G : forall i, (2 <= i)%nat -> psum (seq i k) f = 0%Z).
  { induction k as [|k IH]; intros i I; auto. cbn [seq]. unfold psum; cbn [fold_right].
    fold (psum (seq (S i) k) f). rewrite H, IH by lia. reflexivity. }
  apply G; auto.
Qed.
(* what two sketches differ by at most, where one unit alone gives x *)
Definition at_most (r : adjacency) (x w : Z) : Z :=
  match r with add_drop => x | replacement => if w =? 1 then x else 2 * x end.
Section Reached.
Variables (b w : Z).
Hypothesis Hb : (0 < b)%Z.
Hypothesis Hw : (0 < w)%Z.
Lemma lone_spike a j : (a < Z.to_nat w)%nat -> coord (sketch [spike b w a] b w) j = if Nat.eq_dec j a then b else 0%Z.
Proof.
  intros H. rewrite sketch_cons, spike_clip, sketch_coord by auto. unfold below. rewrite spike_coord by auto.
  destruct (Nat.ltb_spec j (Z.to_nat w)); simpl; [lia|]. destruct (Nat.eq_dec j a); auto. lia.
Qed.
Lemma nothing j : coord (sketch [] b w) j = 0%Z.
Proof. rewrite sketch_coord. unfold below. destruct (_ <? _)%nat; reflexivity. Qed.
(* the same corpora reach the bound on the sum of any function of the differences *)
Theorem bounds_reached r : exists D D', record_adjacent r D D' /\
  forall g, g 0%Z = 0%Z -> (forall z, g (- z)%Z = g z) ->
  psum (seq 0 (Z.to_nat w)) (fun j => g (coord (sketch D b w) j - coord (sketch D' b w) j)%Z) = at_most r (g b) w.
Proof.
  assert (E : Z.to_nat w = 1%nat \/ exists k, Z.to_nat w = S (S k))
    by (destruct (Z.to_nat w) as [|[|k]] eqn:Q; [lia|auto|right; exists k; auto]).
  assert (Sum : forall f, (forall a, (2 <= a)%nat -> f a = 0%Z) ->
    psum (seq 0 (Z.to_nat w)) f = (f 0%nat + if (w =? 1)%Z then 0 else f 1%nat)%Z).
  { intros f F. destruct E as [O|(k & O)]; rewrite O.
    - replace (w =? 1)%Z with true by (symmetry; apply Z.eqb_eq; lia). unfold psum. simpl. lia.
    - replace (w =? 1)%Z with false by (symmetry; apply Z.eqb_neq; lia). cbn [seq]. unfold psum; cbn [fold_right].
      fold (psum (seq 2 k) f). rewrite psum_rest by auto. lia. }
  assert (One : forall D, (forall j, coord (sketch D b w) j = 0%Z) -> forall g, g 0%Z = 0%Z ->
    psum (seq 0 (Z.to_nat w)) (fun j => g (coord (sketch [spike b w 0] b w) j - coord (sketch D b w) j)%Z) = g b).
  { intros D Z0 g G. rewrite Sum.
    - rewrite !lone_spike, !Z0 by lia. simpl (Nat.eq_dec _ _). cbv iota. rewrite !Z.sub_0_r, G.
      destruct (w =? 1)%Z; lia.
    - intros a A. rewrite lone_spike, Z0 by lia. destruct (Nat.eq_dec a 0); [lia|exact G]. }
  destruct r; unfold at_most.
  - exists [spike b w 0], []. split; [|intros g G _; apply One; auto using nothing].
    exists (spike b w 0). right. apply Permutation_refl.
  - destruct (Z.eqb_spec w 1) as [W|W].
    + exists [spike b w 0], [repeat 0%Z (Z.to_nat w)]. split; [|intros g G _; apply One; auto].
      * exists (spike b w 0), (repeat 0%Z (Z.to_nat w)), []. split; apply Permutation_refl.
      * intros j. rewrite sketch_cons, nothing. unfold below. destruct (_ <? _)%nat; [|lia].
        replace (clip (repeat 0%Z (Z.to_nat w)) b) with (repeat 0%Z (Z.to_nat w)).
        { unfold coord. rewrite nth_repeat. lia. }
        rewrite W. unfold clip, py_sum. simpl. destruct (Z.leb_spec 0 b); [reflexivity|lia].
    + destruct E as [E|(k & E)]; [lia|]. exists [spike b w 0], [spike b w 1]. split.
      * exists (spike b w 0), (spike b w 1), []. split; apply Permutation_refl.
      * intros g G Even. rewrite Sum.
        { rewrite !lone_spike by lia. simpl (Nat.eq_dec _ _). cbv iota. rewrite Z.sub_0_r, Z.sub_0_l, Even. lia. }
        intros a A. rewrite !lone_spike by lia. destruct (Nat.eq_dec a 0), (Nat.eq_dec a 1); try lia. exact G.
Qed.
End Reached.
