(* Integer vectors: totals, coordinates and the norms in which sensitivity is stated; nothing here knows the kernel.

   zsum nonneg floor_sum_le floor_error     totals of lists, and what rounding down does to them
   zvec coord msum zl1 zl2sq                vectors by coordinate, l1 norm and squared l2 norm of the first m
   zsketch zsketch_perm                     the sum of vectors, in any order *)
From Coq Require Import ZArith Lia List Permutation.
Import ListNotations.
Open Scope Z_scope.

Definition zsum (v : list Z) : Z := fold_right Z.add 0 v.
Definition nonneg (v : list Z) := Forall (fun x => 0 <= x) v.

Lemma zsum_nonneg v : nonneg v -> 0 <= zsum v.
Proof. unfold zsum; induction 1; simpl; lia. Qed.

Lemma floor_sum_le v B t : 0 < t -> zsum (map (fun x => x * B / t) v) * t <= zsum v * B.
Proof.
  intros T. unfold zsum; induction v as [|a v IH]; simpl. lia.
  assert (H := Z.mul_div_le (a * B) t T). nia.
Qed.

(* rounding loses less than one lattice unit per coordinate, never gains *)
Lemma floor_error B x t : 0 < t -> 0 <= x * B - t * (x * B / t) < t.
Proof. intros T. assert (H := Z.div_mod (x * B) t ltac:(lia)).
  assert (K := Z.mod_pos_bound (x * B) t T). lia. Qed.

(* ---- vectors by coordinate ---- *)
Definition zvec := nat -> Z.
Fixpoint msum (m : nat) (f : nat -> Z) : Z := match m with O => 0 | S k => msum k f + f k end.
Definition zl1 m (v : zvec) := msum m (fun j => Z.abs (v j)).
Definition zl2sq m (v : zvec) := msum m (fun j => v j * v j).
Definition coord (v : list Z) : zvec := fun j => nth j v 0.
Definition zsketch (D : list (list Z)) : zvec := fun j => fold_right (fun v a => coord v j + a) 0 D.

Lemma msum_app_list v : msum (length v) (coord v) = zsum v.
Proof.
  induction v as [|a v IH] using rev_ind; auto.
  rewrite app_length, Nat.add_1_r. simpl.
  unfold zsum in *. rewrite fold_right_app. simpl.
  assert (E : msum (length v) (coord (v ++ [a])) = msum (length v) (coord v)).
  { clear. assert (G : forall k, (k <= length v)%nat -> msum k (coord (v ++ [a])) = msum k (coord v)).
    { induction k; simpl; intros; auto. rewrite IHk by lia. unfold coord. rewrite app_nth1 by lia. auto. }
    apply G; auto. }
  rewrite E, IH. unfold coord at 1. rewrite app_nth2, Nat.sub_diag by lia. simpl.
  clear. induction v; simpl; lia.
Qed.

Lemma coord_nonneg v j : nonneg v -> 0 <= coord v j.
Proof.
  intros H. unfold coord. destruct (Nat.lt_ge_cases j (length v)).
  - unfold nonneg in H; rewrite Forall_forall in H; apply H, nth_In; auto.
  - rewrite nth_overflow; auto; lia.
Qed.

Lemma zl1_nonneg m v : 0 <= zl1 m v.
Proof. unfold zl1; induction m; simpl; lia. Qed.
Lemma zl2_le m v : zl2sq m v <= zl1 m v * zl1 m v.
Proof. induction m; unfold zl1, zl2sq in *; simpl. lia.
  assert (H := zl1_nonneg m v); unfold zl1 in H. nia. Qed.
Lemma zl1_coord m v j : (j < m)%nat -> Z.abs (v j) <= zl1 m v.
Proof. induction m; intros L. lia. unfold zl1 in *; simpl.
  assert (H := zl1_nonneg m v); unfold zl1 in H.
  destruct (Nat.eq_dec j m) as [->|N]. lia. assert (j < m)%nat by lia. specialize (IHm H0). lia. Qed.

Lemma zsketch_perm D D' : Permutation D D' -> forall j, zsketch D j = zsketch D' j.
Proof. intros P j; induction P; unfold zsketch in *; simpl in *; lia. Qed.
Lemma zl1_ext m u v : (forall j, Z.abs (u j) = Z.abs (v j)) -> zl1 m u = zl1 m v.
Proof. intros H; unfold zl1; induction m; simpl; auto. rewrite IHm, H; auto. Qed.
Lemma zl2_ext m u v : (forall j, Z.abs (u j) = Z.abs (v j)) -> zl2sq m u = zl2sq m v.
Proof. intros H; unfold zl2sq; induction m; simpl; auto. rewrite IHm. specialize (H m). nia. Qed.
