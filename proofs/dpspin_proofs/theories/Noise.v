(* Independent noise of one law on every entry of an integer vector.

   noises noises_law                        the law of the noisy vector, and its total mass
   noises_pos                               an outcome of the right length is possible where every noise is *)
From Coq Require Import Reals Lra Lia List ZArith.
From DPSPIN Require Import Probability.
Import ListNotations.
Open Scope R_scope.

Section Noise.
Variable q : Z -> R.
Fixpoint noises (xs ys : list Z) : R :=
  match xs, ys with
  | [], [] => 1
  | x :: xs', y :: ys' => q (y - x)%Z * noises xs' ys'
  | _, _ => 0
  end.
Lemma noises_law xs : law q -> law (noises xs).
Proof.
  intros H. induction xs as [|x xs IH].
  - apply law_finite with [[]].
    + repeat constructor. intros [].
    + intros [|y ys]; simpl; lra.
    + intros [|y ys]; simpl; [auto|lra].
    + simpl. lra.
  - apply (law_transfer (fun o => fst o :: snd o) (joint (fun y => q (y - x)%Z) (fun _ => noises xs))).
    + apply law_joint; auto using Z.eq_dec. apply (law_transfer (fun z => (z + x)%Z) q); auto.
      * intros; lia.
      * intros z. f_equal. lia.
      * intros y. right. exists (y - x)%Z. lia.
    + intros (y & ys) (y' & ys'); simpl. intros E; injection E; intros; subst; auto.
    + intros (y & ys). reflexivity.
    + intros [|y ys]; [left; auto|right]. exists (y, ys). reflexivity.
Qed.
Lemma noises_pos xs : (forall z, 0 < q z) -> forall ys, length ys = length xs -> 0 < noises xs ys.
Proof.
  intros P. induction xs as [|x xs IH]; intros [|y ys] L; simpl in *; try discriminate; [lra|].
  apply Rmult_lt_0_compat; auto.
Qed.
Lemma noises_length xs : forall ys, noises xs ys <> 0 -> length ys = length xs.
Proof.
  induction xs as [|x xs IH]; intros [|y ys] H; simpl in *; auto; try lra. f_equal. apply IH. intros Z. apply H.
  rewrite Z. ring.
Qed.
End Noise.
