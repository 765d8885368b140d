(* The four relations between corpora, and how far each moves the generated sketch.

   adjacency record_adjacent user_adjacent      add/drop and replacement of one record, or of one user with all records
   moved record_moved user_moved                what they do to the sketch; both relations are symmetric
   psum psum_piece psum_shift                   totals over any set of atoms, and how far they move *)
From Coq Require Import ZArith List Bool Lia Permutation.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Users.
Import ListNotations.
Open Scope Z_scope.

Inductive adjacency := add_drop | replacement.
Definition record_adjacent (r : adjacency) (D D' : list (list Z)) : Prop :=
  match r with
  | add_drop => exists x, Permutation D' (x :: D) \/ Permutation D (x :: D')
  | replacement => exists x y E, Permutation D (x :: E) /\ Permutation D' (y :: E)
  end.
(* X, Y: all records of the user that comes, goes or changes, however many; E: everybody else's *)
Definition user_adjacent (r : adjacency) (D D' : list record) : Prop :=
  match r with
  | add_drop => exists u X, owned_by u X /\
      ((not_owned_by u D /\ Permutation D' (D ++ X)) \/ (not_owned_by u D' /\ Permutation D (D' ++ X)))
  | replacement => exists u u' X Y E, owned_by u X /\ not_owned_by u E /\ owned_by u' Y /\ not_owned_by u' E /\
      Permutation D (E ++ X) /\ Permutation D' (E ++ Y)
  end.
Definition moved (r : adjacency) (b w : Z) (s s' : list Z) : Prop :=
  match r with add_drop => gains b w s s' \/ gains b w s' s | replacement => swaps b w s s' end.
Lemma swaps_sym b w s s' : swaps b w s s' -> swaps b w s' s.
Proof. intros (u & v & Pu & Pv & E). exists v, u. split; [|split]; auto. intros j. rewrite E. lia. Qed.
Lemma moved_sym r b w s s' : moved r b w s s' -> moved r b w s' s.
Proof. destruct r; simpl. tauto. apply swaps_sym. Qed.

Lemma record_moved r b w D D' : 0 <= b -> record_adjacent r D D' -> moved r b w (sketch D b w) (sketch D' b w).
Proof.
  intros Hb. destruct r; simpl.
  - intros (x & [P|P]); [left|right]; apply sketch_add_unit with x; auto.
  - intros (x & y & E & P & P'). apply sketch_replace_unit with x y E; auto.
Qed.
Lemma user_moved r b w D D' : 0 <= b -> user_adjacent r D D' ->
  moved r b w (user_sketch D b w) (user_sketch D' b w).
Proof.
  intros Hb. destruct r; simpl.
  - intros (u & X & O & [(N & P)|(N & P)]); [left|right]; apply user_sketch_add with u X; auto.
  - intros (u & u' & X & Y & E & O & N & O' & N' & P & P'). apply user_sketch_replace with u u' X Y E; auto.
Qed.

(* ---- totals over a set of atoms ---- *)
Definition psum (T : list nat) (v : nat -> Z) : Z := fold_right (fun a t => v a + t) 0 T.
Definition atoms_below (m : nat) (T : list nat) := NoDup T /\ forall a, In a T -> (a < m)%nat.
Lemma psum_app v a b : psum (a ++ b) v = psum a v + psum b v.
Proof. unfold psum; induction a; simpl; lia. Qed.
Lemma psum_ext T v w : (forall a, v a = w a) -> psum T v = psum T w.
Proof. intros H. unfold psum; induction T; simpl; auto. rewrite H, IHT; auto. Qed.
Lemma psum_le2 T f g : (forall a, f a <= g a) -> psum T f <= psum T g.
Proof. intros H. unfold psum; induction T; simpl; [lia|]. specialize (H a). lia. Qed.
Lemma psum_plus T f g : psum T (fun a => f a + g a) = psum T f + psum T g.
Proof. unfold psum; induction T; simpl; lia. Qed.
Lemma psum_opp T f : psum T (fun a => - f a) = - psum T f.
Proof. unfold psum; induction T; simpl; lia. Qed.
Lemma psum_le v m : (forall j, 0 <= v j) -> forall T, atoms_below m T -> psum T v <= msum m v.
Proof.
  intros P. induction m as [|m IH]; intros T (N & I).
  - destruct T as [|a T]. simpl; lia. specialize (I a (or_introl eq_refl)); lia.
  - simpl. destruct (in_dec Nat.eq_dec m T) as [Im|Nm].
    + apply in_split in Im. destruct Im as (l & r & ->). apply NoDup_remove in N. destruct N as [N Nin].
      assert (K : psum (l ++ r) v <= msum m v).
      { apply IH. split; auto. intros a Ia.
        assert (a < S m)%nat by (apply I; apply in_app_iff in Ia; apply in_app_iff; simpl; tauto).
        assert (a <> m) by (intros ->; auto). lia. }
      rewrite psum_app in K. rewrite psum_app. simpl. lia.
    + assert (K : psum T v <= msum m v).
      { apply IH. split; auto. intros a Ia. assert (a < S m)%nat by auto. assert (a <> m) by (intros ->; auto). lia. }
      specialize (P m). lia.
Qed.
Lemma psum_piece b m v T : piece b m v -> atoms_below m T -> 0 <= psum T v <= b.
Proof.
  intros (P & H) I. split.
  - clear I. unfold psum; induction T; simpl; [lia|]. specialize (P a). lia.
  - rewrite zl1_nonneg_eq in H by auto. assert (K := psum_le v m P T I). lia.
Qed.
