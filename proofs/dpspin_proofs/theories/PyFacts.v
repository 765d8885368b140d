(* Facts about Python's built-in functions as PySem means them.

   py_le_total py_le_trans sorted_perm sorted_sorted sorted_app     the stable sort
   range_* index_coord in_true sum_perm perm_filter                 ranges, items, membership, sums, filters
   enum_*                                                           enumerate *)
From Coq Require Import ZArith List Bool Lia Permutation Sorted.
From DPSPIN Require Import PySem Vectors.
Import ListNotations.
Open Scope Z_scope.

Lemma py_le_total a : forall b, py_le a b = false -> py_le b a = true.
Proof.
  induction a as [|x a IH]; destruct b as [|y b]; simpl; try discriminate; auto.
  rewrite orb_false_iff, andb_false_iff. intros [H1 H2]. apply Z.ltb_ge in H1.
  destruct (Z.ltb_spec y x); auto. assert (x = y) by lia; subst. rewrite !Z.eqb_refl in *. simpl.
  apply IH. destruct H2; auto; discriminate.
Qed.
Lemma py_le_trans a : forall b c, py_le a b = true -> py_le b c = true -> py_le a c = true.
Proof.
  induction a as [|x a IH]; destruct b as [|y b], c as [|z c]; simpl; try discriminate; auto.
  rewrite !orb_true_iff, !andb_true_iff, !Z.ltb_lt, !Z.eqb_eq.
  intros [H|[H H']] [K|[K K']]; try (left; lia). right; split. lia. eauto.
Qed.

Section Sorting.
Context {A : Type} (k : A -> list Z).
Let le x y := py_le (k x) (k y) = true.

Lemma insert_perm x l : Permutation (x :: l) (insert k x l).
Proof. induction l as [|y l IH]; simpl; auto. destruct (py_le (k x) (k y)); auto.
  eapply perm_trans. apply perm_swap. auto. Qed.
Lemma sorted_perm l : Permutation l (py_sorted k l).
Proof. induction l as [|x l IH]; simpl; auto. eapply perm_trans; [|apply insert_perm]. auto. Qed.
Lemma insert_sorted x l : StronglySorted le l -> StronglySorted le (insert k x l).
Proof.
  induction 1 as [|y l S IH F]; simpl. repeat constructor.
  destruct (py_le (k x) (k y)) eqn:E.
  - constructor. constructor; auto. constructor; auto. rewrite Forall_forall in *. intros z I.
    unfold le in *. eapply py_le_trans; eauto.
  - constructor; auto. rewrite Forall_forall in *. intros z I.
    apply (Permutation_in _ (Permutation_sym (insert_perm x l))) in I.
    destruct I as [<-|I]; auto. apply py_le_total; auto.
Qed.
Lemma sorted_sorted l : StronglySorted le (py_sorted k l).
Proof. induction l; simpl. constructor. apply insert_sorted; auto. Qed.
Lemma sorted_app l : forall a b, StronglySorted le (a ++ b) -> l = a ++ b ->
  forall x y, In x a -> In y b -> le x y.
Proof.
  intros a; revert l; induction a as [|c a IH]; simpl; intros l b S E x y [].
  - subst. inversion S; subst. rewrite Forall_forall in H2. intros; apply H2, in_app_iff; auto.
  - inversion S; subst. intros; eapply IH; eauto.
Qed.
End Sorting.

Lemma range_in n x : In x (py_range n) <-> 0 <= x < n.
Proof.
  unfold py_range. rewrite in_map_iff. split.
  - intros (i & <- & I). apply in_seq in I. lia.
  - intros H. exists (Z.to_nat x). split. lia. apply in_seq. lia.
Qed.
Lemma range_nodup n : NoDup (py_range n).
Proof. unfold py_range. apply FinFun.Injective_map_NoDup, seq_NoDup. intros a b; lia. Qed.
Lemma range_length n : length (py_range n) = Z.to_nat n.
Proof. unfold py_range. rewrite map_length, seq_length; auto. Qed.
Lemma range_nth n j : (j < Z.to_nat n)%nat -> nth j (py_range n) 0 = Z.of_nat j.
Proof. intros. unfold py_range. change 0 with (Z.of_nat 0). rewrite map_nth, seq_nth by lia. lia. Qed.

Lemma index_coord v x : 0 <= x -> py_index v x = coord v (Z.to_nat x).
Proof. intros H. unfold py_index, py_item, py_end, coord. destruct (Z.ltb_spec x 0); auto; lia. Qed.
Lemma in_true x l : py_in x l = true <-> In x l.
Proof. unfold py_in. rewrite existsb_exists. split.
  intros (y & I & E). apply Z.eqb_eq in E. subst; auto. intros I; exists x; split; auto; apply Z.eqb_refl. Qed.
Lemma sum_perm a b : Permutation a b -> py_sum a = py_sum b.
Proof. unfold py_sum; induction 1; simpl; lia. Qed.
Lemma sum_app a b : py_sum (a ++ b) = py_sum a + py_sum b.
Proof. unfold py_sum; induction a; simpl; lia. Qed.
Lemma perm_filter {A} (f : A -> bool) a b : Permutation a b -> Permutation (filter f a) (filter f b).
Proof. induction 1; simpl; auto.
  - destruct (f x); auto.
  - destruct (f x), (f y); auto; apply perm_swap.
  - eapply perm_trans; eauto. Qed.

(* enumerate *)
Lemma enum_gen {A} (l : list A) : forall s, map fst (combine (map Z.of_nat (seq s (length l))) l) = map Z.of_nat (seq s
  (length l)).
Proof. induction l; simpl; intros; auto. f_equal; apply IHl. Qed.
Lemma enum_fst {A} (l : list A) : map fst (py_enumerate l) = py_range (py_len l).
Proof. unfold py_enumerate, py_range, py_len. rewrite Nat2Z.id. apply enum_gen. Qed.
Lemma enum_snd {A} (l : list A) : map snd (py_enumerate l) = l.
Proof.
  unfold py_enumerate, py_range, py_len. rewrite Nat2Z.id.
  assert (G : forall s, map snd (combine (map Z.of_nat (seq s (length l))) l) = l).
  { induction l; simpl; intros; auto. f_equal; apply IHl. } apply G.
Qed.
Lemma enum_length {A} (l : list A) : length (py_enumerate l) = length l.
Proof. rewrite <- (map_length snd), enum_snd; auto. Qed.
