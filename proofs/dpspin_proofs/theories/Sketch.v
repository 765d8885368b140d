(* The exact sketch of records: streaming form, and sensitivity, for all inputs.

   sketch_length                                 one entry for every atom
   gains swaps gains_bounds swaps_bounds         what a change of one unit can do, and its norms
   sketch_add_unit sketch_replace_unit           add/remove and replacement of one record
   streamed absorb_is_sketch                     the streaming form equals the specification form
   moves_up moves record_*                       the two relations, in norms
   *_never_raises                                vectors of at least `width` entries make no call raise *)
From Coq Require Import ZArith List Bool Lia Permutation.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records.
Import ListNotations.
Open Scope Z_scope.

(* ---- coordinates ---- *)
Definition below (w : Z) (f : zvec) : zvec := fun j => if (j <? Z.to_nat w)%nat then f j else 0.
Lemma add_coord D w j : coord (add D w) j = below w (zsketch D) j.
Proof.
  unfold add, below, coord at 1. set (f := fun a : Z => py_sum _).
  destruct (Nat.ltb_spec j (Z.to_nat w)).
  - rewrite (nth_indep _ 0 (f 0)) by (rewrite map_length, range_length; auto).
    rewrite map_nth, range_nth by auto. unfold f, zsketch, py_sum.
    induction D as [|v D IH]; cbn [map fold_right]; auto. rewrite IH. rewrite index_coord, Nat2Z.id by lia. reflexivity.
  - apply nth_overflow. rewrite map_length, range_length; auto.
Qed.
Lemma sketch_coord D b w j : coord (sketch D b w) j = below w (zsketch (map (fun v => clip v b) D)) j.
Proof. apply add_coord. Qed.
Theorem sketch_length D b w : py_len (sketch D b w) = Z.max w 0.
Proof. unfold sketch, add, py_len. rewrite map_length, range_length. lia. Qed.

Lemma msum_ext m f g : (forall j, (j < m)%nat -> f j = g j) -> msum m f = msum m g.
Proof. induction m; simpl; intros H; auto. rewrite IHm, H; auto. Qed.
Lemma msum_le_len m v : nonneg v -> msum m (coord v) <= zsum v.
Proof.
  intros P. rewrite <- (msum_app_list v). assert (N := fun j => coord_nonneg v j P).
  assert (M : forall k d, msum k (coord v) <= msum (k + d) (coord v)).
  { intros k; induction d. rewrite Nat.add_0_r; lia. rewrite Nat.add_succ_r. simpl. specialize (N (k + d)%nat). lia. }
  destruct (Nat.le_gt_cases m (length v)).
  - replace (length v) with (m + (length v - m))%nat by lia. apply M.
  - replace m with (length v + (m - length v))%nat by lia. clear. generalize (m - length v)%nat as d.
    induction d as [|d IH]. rewrite Nat.add_0_r; lia. rewrite Nat.add_succ_r. simpl.
    replace (coord v (length v + d)%nat) with 0 by (symmetry; apply nth_overflow; lia). lia.
Qed.
Lemma zl1_nonneg_eq m f : (forall j, 0 <= f j) -> zl1 m f = msum m f.
Proof. intros; unfold zl1; apply msum_ext; intros; specialize (H j); lia. Qed.

(* what one clipped unit can add: nonnegative, total at most b *)
Definition piece (b : Z) m (f : zvec) := (forall j, 0 <= f j) /\ zl1 m f <= b.
Lemma clip_piece b v m w : 0 <= b -> piece b m (below w (coord (clip v b))).
Proof.
  intros Hb. assert (P := clip_nonneg v b Hb). assert (S := clip_bound v b Hb).
  assert (N : forall j, 0 <= below w (coord (clip v b)) j <= coord (clip v b) j).
  { intros j. assert (Q := coord_nonneg _ j P). unfold below. destruct (j <? Z.to_nat w)%nat; lia. }
  split. intros j; apply N. rewrite zl1_nonneg_eq by (intros; apply N).
  apply Z.le_trans with (msum m (coord (clip v b))).
  - clear S. induction m; simpl. lia. specialize (N m). lia.
  - assert (K := msum_le_len m _ P). rewrite sum_zsum in S. lia.
Qed.
Lemma piece_coord b m f j : piece b m f -> (j < m)%nat -> 0 <= f j <= b.
Proof. intros (P & H) L. assert (K := zl1_coord m f j L). specialize (P j). lia. Qed.
Lemma piece_l2 b m f : piece b m f -> zl2sq m f <= b * b.
Proof. intros (P & H). assert (A := zl2_le m f). assert (B := zl1_nonneg m f). nia. Qed.

Lemma sketch_perm D D' b w : Permutation D D' -> forall j, coord (sketch D b w) j = coord (sketch D' b w) j.
Proof. intros P j. rewrite !sketch_coord. unfold below. destruct (_ <? _)%nat; auto.
  apply zsketch_perm, Permutation_map; auto. Qed.
Lemma sketch_cons x D b w j : coord (sketch (x :: D) b w) j = coord (sketch D b w) j + below w (coord (clip x b)) j.
Proof. rewrite !sketch_coord. unfold below. destruct (_ <? _)%nat; auto. unfold zsketch; simpl. lia. Qed.

(* ---- the two sensitivity statements, in the form the mechanisms use ---- *)
Definition gains (b w : Z) (s s' : list Z) :=        (* s' is s plus one bounded nonnegative piece *)
  exists v, (forall m, piece b m v) /\ forall j, coord s' j = coord s j + v j.
Definition swaps (b w : Z) (s s' : list Z) :=        (* s' is s minus one piece plus another *)
  exists u v, (forall m, piece b m u) /\ (forall m, piece b m v) /\ forall j, coord s' j = coord s j - u j + v j.
Definition diff (s s' : list Z) : zvec := fun j => coord s' j - coord s j.

Theorem gains_bounds b w s s' : 0 <= b -> gains b w s s' -> forall m,
  (forall j, (j < m)%nat -> 0 <= diff s s' j <= b) /\ zl1 m (diff s s') <= b /\ zl2sq m (diff s s') <= b * b.
Proof.
  intros Hb (v & P & E) m. assert (Q : forall j, diff s s' j = v j) by (intros; unfold diff; rewrite E; lia).
  repeat split.
  - rewrite Q. apply (P m).
  - rewrite Q. eapply piece_coord; eauto.
  - rewrite (zl1_ext m _ v) by (intros; rewrite Q; auto). apply P.
  - rewrite (zl2_ext m _ v) by (intros; rewrite Q; auto). apply piece_l2; auto.
Qed.
Theorem swaps_bounds b w s s' : 0 <= b -> swaps b w s s' -> forall m,
  (forall j, (j < m)%nat -> Z.abs (diff s s' j) <= b) /\ zl1 m (diff s s') <= 2 * b /\ zl2sq m (diff s s') <= 2 * (b *
    b).
Proof.
  intros Hb (u & v & Pu & Pv & E) m. assert (Q : forall j, diff s s' j = v j - u j) by (intros; unfold diff; rewrite E;
    lia).
  assert (Nu := fun j => proj1 (Pu m) j). assert (Nv := fun j => proj1 (Pv m) j). repeat split.
  - intros j L. rewrite Q. assert (A := piece_coord _ _ _ j (Pu m) L). assert (B := piece_coord _ _ _ j (Pv m) L). lia.
  - assert (G : zl1 m (diff s s') <= zl1 m u + zl1 m v).
    { clear - Q. unfold zl1; induction m; simpl. lia. rewrite Q. lia. }
    assert (A := proj2 (Pu m)). assert (B := proj2 (Pv m)). lia.
  - assert (G : zl2sq m (diff s s') <= zl2sq m u + zl2sq m v).
    { clear - Q Nu Nv. unfold zl2sq; induction m; simpl. lia. rewrite Q. specialize (Nu m); specialize (Nv m). nia. }
    assert (A := piece_l2 _ _ _ (Pu m)). assert (B := piece_l2 _ _ _ (Pv m)). lia.
Qed.

Theorem sketch_add_unit b w x D D' : 0 <= b -> Permutation D' (x :: D) -> gains b w (sketch D b w) (sketch D' b w).
Proof.
  intros Hb P. exists (below w (coord (clip x b))). split. intros; apply clip_piece; auto.
  intros j. rewrite (sketch_perm _ _ b w P j). apply sketch_cons.
Qed.
Theorem sketch_replace_unit b w x y E D D' : 0 <= b -> Permutation D (x :: E) -> Permutation D' (y :: E) ->
  swaps b w (sketch D b w) (sketch D' b w).
Proof.
  intros Hb P P'. exists (below w (coord (clip x b))), (below w (coord (clip y b))).
  split; [|split]; try (intros; apply clip_piece; auto).
  intros j. rewrite (sketch_perm _ _ b w P j), (sketch_perm _ _ b w P' j), !sketch_cons. lia.
Qed.

Lemma add_perm A B w : Permutation A B -> add A w = add B w.
Proof. intros P. unfold add. apply map_ext. intros a. apply sum_perm, Permutation_map; auto. Qed.
Lemma add_length D w : py_len (add D w) = Z.max w 0.
Proof. unfold add, py_len. rewrite map_length, range_length. lia. Qed.

(* ---- no call raises when every vector is at least `width` long ---- *)
Lemma add_safe_ok D w : Forall (fun v => w <= py_len v) D -> add_safe D w = true.
Proof.
  intros F. unfold add_safe. apply forallb_forall. intros a I. apply range_in in I. apply forallb_forall. intros v J.
  rewrite Forall_forall in F. specialize (F v J). unfold py_index_safe. apply andb_true_iff.
  split; [apply Z.leb_le|apply Z.ltb_lt]; unfold py_len in *; lia.
Qed.
Theorem sketch_never_raises D b w : Forall (fun v => w <= py_len v) D -> sketch_safe D b w = true.
Proof.
  intros F. unfold sketch_safe. apply andb_true_iff; split.
  - apply forallb_forall. intros; apply clip_never_raises.
  - apply add_safe_ok. rewrite Forall_forall in *. intros v I. apply in_map_iff in I. destruct I as (x & <- & I).
    unfold py_len. rewrite clip_length. apply F; auto.
Qed.
(* ---- one unit at a time ---- *)
Lemma add_index D w a : 0 <= a < w -> py_index (add D w) a = py_sum (map (fun v => py_index v a) D).
Proof.
  intros H. rewrite index_coord, add_coord by lia. unfold below. destruct (Nat.ltb_spec (Z.to_nat a) (Z.to_nat w));
    [|lia].
  unfold zsketch, py_sum. clear H0. induction D as [|v D IH]; cbn [map fold_right]; auto. rewrite IH, index_coord by
    lia. reflexivity.
Qed.
Lemma absorb_add D w u b : absorb (add D w) u b = add (D ++ [clip u b]) w.
Proof.
  unfold absorb. rewrite add_length. unfold add at 1. replace (py_range (Z.max w 0)) with (py_range w).
  - apply map_ext_in. intros a I. apply range_in in I. cbn [map]. rewrite add_index by auto.
    rewrite map_app, sum_app. unfold py_sum; cbn [map fold_right]. lia.
  - unfold py_range. do 2 f_equal. lia.
Qed.
Definition streamed (units : list (list Z)) (b w : Z) : list Z :=
  fold_left (fun total unit => absorb total unit b) units (repeat 0 (Z.to_nat w)).
Theorem absorb_is_sketch D D' b w : Permutation D D' -> streamed D b w = sketch D' b w.
Proof.
  intros P. unfold sketch. rewrite <- (add_perm (map (fun u => clip u b) D)) by (apply Permutation_map; auto).
  assert (Z0 : repeat 0 (Z.to_nat w) = add [] w).
  { unfold add, py_range. rewrite map_map. simpl. generalize 0%nat as s. induction (Z.to_nat w) as [|n IH]; intros s;
    simpl; auto.
    f_equal. apply IH. }
  assert (G : forall E, fold_left (fun t u => absorb t u b) D (add E w) = add (E ++ map (fun u => clip u b) D) w).
  { clear. induction D as [|u D IH]; intros E; simpl. rewrite app_nil_r; auto. rewrite absorb_add, IH, <- app_assoc.
    reflexivity. }
  unfold streamed. rewrite Z0. apply (G []).
Qed.
Theorem absorb_never_raises t u b : py_len t <= py_len u -> absorb_safe t u b = true.
Proof.
  intros H. unfold absorb_safe. apply andb_true_iff; split. apply clip_never_raises.
  apply add_safe_ok. repeat constructor; unfold py_len in *; rewrite ?clip_length; lia.
Qed.

(* ---- the two relations of records, in norms ---- *)
Definition moves_up (b : Z) (s s' : list Z) := forall m,
  (forall j, (j < m)%nat -> 0 <= diff s s' j <= b) /\ zl1 m (diff s s') <= b /\ zl2sq m (diff s s') <= b * b.
Definition moves (b : Z) (s s' : list Z) := forall m,
  (forall j, (j < m)%nat -> Z.abs (diff s s' j) <= b) /\ zl1 m (diff s s') <= 2 * b /\ zl2sq m (diff s s') <= 2 * (b *
    b).
Theorem record_add_remove b w x D D' : 0 <= b -> Permutation D' (x :: D) -> moves_up b (sketch D b w) (sketch D' b w).
Proof. intros Hb P m. apply (gains_bounds b w); auto. eapply sketch_add_unit; eauto. Qed.
Theorem record_replace b w x y E D D' : 0 <= b -> Permutation D (x :: E) -> Permutation D' (y :: E) ->
  moves b (sketch D b w) (sketch D' b w).
Proof. intros Hb P P' m. apply (swaps_bounds b w); auto. eapply sketch_replace_unit; eauto. Qed.
