(* The definitions at work: premises that can hold, figures that come out, and what is not close.

   The theorems are about all inputs; these are a few, to read beside the definitions.  Nothing rests on them. *)
From Coq Require Import Reals Lra Lia List ZArith Permutation Sorted.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Users Plan Recovery Neighbours Corpora.
From DPSPIN Require Import Probability Noise Laplace Peeling SparseRelease Attained Bell Gaussian Transcript Sampling.
Import ListNotations.
Open Scope Z_scope.

(* ---- the kernel computes ---- *)
Example two_highest : highest [5; 1; 5; 7] 2 = [3; 0].
Proof. reflexivity. Qed.
Example one_record : contribution [3; -1; 0; 5; 4] 2 10 = [0; 0; 0; 5; 4].
Proof. reflexivity. Qed.
Example two_clipped : sketch [[3; 0]; [9; 9]] 10 2 = [8; 5].
Proof. reflexivity. Qed.
Example two_users : user_sketch [(7, [6; 0]); (4, [1; 1]); (7, [0; 6])] 10 2 = [6; 6].
Proof. reflexivity. Qed.
Example supported : claim_supported [(4, 90); (2, 70)] (COMPARISON, 4, 2, 0) 1 20 5 100 [10; 50] 100 = true.
Proof. reflexivity. Qed.
Example not_supported : claim_supported [(4, 90); (2, 70)] (COMPARISON, 4, 2, 0) 1 21 5 100 [10; 50] 100 = false.
Proof. reflexivity. Qed.
Example raises : sketch_safe [[1]] 10 2 = false /\ rounded_safe 1 0 1 = false.
Proof. split; reflexivity. Qed.

(* ---- neighbours under each relation, and how far their sketches lie apart ---- *)
Example record_comes : record_adjacent add_drop [] [[9; 9]] /\ sketch [] 10 2 = [0; 0] /\ sketch [[9; 9]] 10 2 = [5; 5].
Proof. split; [exists [9; 9]; left; reflexivity|split; reflexivity]. Qed.
Example record_changes : record_adjacent replacement [[9; 0]] [[0; 9]] /\ diff [9; 0] [0; 9] 0%nat = -9.
Proof. split; [exists [9; 0], [0; 9], []; split; reflexivity|reflexivity]. Qed.
Example user_comes : user_adjacent add_drop [(4, [1; 1])] [(4, [1; 1]); (7, [6; 0]); (7, [0; 6])].
Proof.
  exists 7, [(7, [6; 0]); (7, [0; 6])]. split; [repeat constructor|left; split; [|reflexivity]].
  repeat constructor. discriminate.
Qed.
Example user_changes : user_adjacent replacement [(4, [1; 1]); (7, [6; 0])] [(4, [1; 1]); (9, [0; 6]); (9, [0; 1])].
Proof.
  exists 7, 9, [(7, [6; 0])], [(9, [0; 6]); (9, [0; 1])], [(4, [1; 1])].
  repeat split; repeat constructor; discriminate.
Qed.
(* the corpora that attain the costs hold contributions of records, and not vectors alone *)
Example spike_is_a_contribution : contribution (spike 8 5 3) 1 8 = spike 8 5 3.
Proof. reflexivity. Qed.

(* ---- premises hold ---- *)
Example recovered p : In p (highest [9; 4; 1] 1) <-> In p (highest [8; 5; 1] 1).
Proof.
  assert (K : forall b, 0 <= b < py_len [9; 4; 1] -> b = 0 \/ b = 1 \/ b = 2) by (intros b; unfold py_len; simpl; lia).
  revert p. apply (highest_recovery [9; 4; 1] [8; 5; 1] 1 1); [lia|reflexivity| |].
  - intros b B. destruct (K b B) as [->|[->| ->]]; vm_compute; discriminate.
  - intros a b [<-|[]] B N. destruct (K b B) as [->|[->| ->]]; [exfalso; apply N; left|reflexivity..]. reflexivity.
Qed.
Example cuts_ascend : StronglySorted Z.le [10; 50].
Proof. repeat constructor; lia. Qed.

Open Scope R_scope.
(* ---- no cost is free: what releases the sketch itself costs more than any epsilon ---- *)
Definition itself (v y : list Z) : R := if list_eq_dec Z.eq_dec v y then 1 else 0.
Example itself_law v : law (itself v).
Proof.
  apply law_finite with [v].
  - repeat constructor. intros [].
  - intros y. unfold itself. destruct (list_eq_dec _ _ _); lra.
  - intros y. unfold itself. destruct (list_eq_dec _ _ _) as [->|]; [left; auto|lra].
  - simpl. unfold itself. destruct (list_eq_dec _ _ _); [lra|congruence].
Qed.
Example itself_not_close eps : ~ close eps (itself (sketch [] 10 1)) (itself (sketch [[9%Z]] 10 1)).
Proof.
  intros (_ & _ & R & _). specialize (R [0%Z]). unfold itself in R.
  destruct (list_eq_dec _ _ _) as [_|N] in R; [|apply N; reflexivity].
  destruct (list_eq_dec _ _ _) as [E|_] in R; [discriminate|lra].
Qed.
(* and less than the cost of Laplace noise is not enough for two corpora *)
Example no_less eps : eps < 1 / 10 * IZR (l1_bound add_drop 10 3) -> exists D D',
  record_adjacent add_drop D D' /\ ~ close eps (noisy_sketch 10 3 (1 / 10) D) (noisy_sketch 10 3 (1 / 10) D').
Proof.
  intros L. destruct (laplace_attained 10 3 (1 / 10) add_drop) as (D & D' & y & A & P & E); try reflexivity; [lra|].
  exists D, D'. split; auto. intros (_ & _ & R & _). specialize (R y). rewrite E in R.
  apply Rmult_le_reg_r in R; auto. apply exp_increasing in L. lra.
Qed.

(* ---- laws that the premises ask for ---- *)
Example a_law : law (laplace 1) /\ law (rounded 4) /\ law (admission 3 2 (1 / 2) (coord [4; 0; 1]%Z)).
Proof. split; [apply laplace_law; lra|split]. apply rounded_law; lra. apply admission_law. lia. Qed.
Example a_pair_covered : covers 100 5 2 (1 / 2) (1 / 10).
Proof.
  apply rational_covers with (c := 1 / 100) (k := 3%nat) (n := 16%nat) (p := 1%Z) (q := 1%Z);
    [lra|lia|lia|lia|lia|lia|lra|simpl; lra|vm_compute; discriminate].
Qed.
Example a_value_accepted U : 0 <= U < 1 / 2 -> accepted (fun _ => 1) U 0.
Proof.
  intros H. exists 0%Z, 1%nat, 4%Z, 4%Z. unfold prefix, encloses, power. simpl. repeat split; lra.
Qed.
Example no_value_above_its_least U : U < 1 -> ~ accepted (fun _ => 1) U 1.
Proof.
  intros H A. assert (L := accepted_least (fun _ => 1) U 1 ltac:(intros; lra) A). destruct L as (_ & L).
  specialize (L 0%nat ltac:(lia)). lra.
Qed.
