(* The costs cannot be lowered: corpora that attain them, or come as near as one likes.

   laplace_attained                         an outcome whose probability changes by the full factor
   dominated peel_lower                     one atom so heavy that its mass alone decides every round
   admission_attained *_gain_attained       selection costs are suprema
   release_attained                         so are the joint costs of admission and Laplace values *)
From Coq Require Import Reals Lra Lia List ZArith Permutation FunctionalExtensionality.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Neighbours Corpora Probability Noise.
From DPSPIN Require Import Laplace Peeling SparseRelease.
Import ListNotations.
Open Scope R_scope.

(* ---- one atom decides every round ---- *)
Lemma peel_lower eta q q' beta slack d : q' d = q d + beta -> forall L U T,
  NoDup U -> In d U -> incl T U -> ~ In d (removelast T) -> lsum U (weight eta q) <= exp slack * weight eta q d ->
  exp (eta * lsum T (fun a => q a - q' a) + INR L * (eta * beta - slack)) * peel eta q' L U T <= peel eta q L U T.
Proof.
  intros Q. induction L as [|L IH]; intros U [|a t] N D I Nd Z; cbn [peel]; try (rewrite Rmult_0_r; lra).
  - simpl. rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r, exp_0. lra.
  - assert (P := total_pos eta q U d D). assert (P' := total_pos eta q' U d D).
    assert (K : exp (eta * beta - slack) * lsum U (weight eta q) <= lsum U (weight eta q')).
    { apply Rle_trans with (weight eta q' d).
      - replace (weight eta q' d) with (exp (eta * beta - slack) * (exp slack * weight eta q d)).
        + apply Rmult_le_compat_l; [left; apply exp_pos|exact Z].
        + unfold weight. rewrite <- !exp_plus. f_equal. rewrite Q. ring.
      - replace (weight eta q' d) with (lsum [d] (weight eta q')) by (simpl; lra).
        apply lsum_incl.
        + intros; left; apply weight_pos.
        + constructor; [intros []|constructor].
        + intros x [<-|[]] _; auto. }
    assert (A : exp (eta * (q a - q' a) + (eta * beta - slack)) * chance eta q' U a <= chance eta q U a).
    { unfold chance. destruct (in_dec Nat.eq_dec a U) as [_|]; [|rewrite Rmult_0_r; lra].
      assert (E : weight eta q a = exp (eta * (q a - q' a)) * weight eta q' a)
        by (unfold weight; rewrite <- exp_plus; f_equal; ring).
      rewrite E, exp_plus. set (e := exp (eta * (q a - q' a))) in *. set (f := exp (eta * beta - slack)) in *.
      assert (0 < e) by apply exp_pos. assert (W := weight_pos eta q' a).
      apply Rmult_le_reg_r with (lsum U (weight eta q) * lsum U (weight eta q')). nra.
      replace (e * weight eta q' a / lsum U (weight eta q) * (lsum U (weight eta q) * lsum U (weight eta q')))
        with (e * weight eta q' a * lsum U (weight eta q')) by (field; lra).
      replace (e * f * (weight eta q' a / lsum U (weight eta q')) * (lsum U (weight eta q) * lsum U (weight eta q')))
        with (e * weight eta q' a * (f * lsum U (weight eta q))) by (field; lra).
      apply Rmult_le_compat_l; nra. }
    assert (B : exp (eta * lsum t (fun a => q a - q' a) + INR L * (eta * beta - slack)) * peel eta q' L (without a U) t
                <= peel eta q L (without a U) t).
    { destruct t as [|c t].
      - destruct L; simpl; [rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r, exp_0; lra|rewrite Rmult_0_r; lra].
      - assert (NE : d <> a) by (intros ->; apply Nd; left; auto).
        destruct (in_dec Nat.eq_dec a (c :: t)) as [J|J].
        { assert (Z0 : forall q, peel eta q L (without a U) (c :: t) = 0).
          { intros x. destruct (Req_dec (peel eta x L (without a U) (c :: t)) 0) as [|NZ]; auto.
            apply peel_support in NZ. destruct NZ as (_ & X & _). apply X, remove_In in J. destruct J. }
          rewrite !Z0. lra. }
        apply IH; auto using without_nodup, in_in_remove.
        + intros x X. apply in_in_remove. intros ->; auto. apply I. right; auto.
        + intros X. apply Nd. right. exact X.
        + eapply Rle_trans; [|exact Z]. apply lsum_incl; auto using without_nodup.
          intros; left; apply weight_pos. intros x X _. apply in_remove in X. tauto. }
    rewrite S_INR. cbn [lsum fold_right]. fold (lsum t (fun a => q a - q' a)).
    replace (eta * (q a - q' a + lsum t (fun a => q a - q' a)) + (INR L + 1) * (eta * beta - slack))
      with ((eta * (q a - q' a) + (eta * beta - slack)) +
            (eta * lsum t (fun a => q a - q' a) + INR L * (eta * beta - slack))) by ring.
    rewrite exp_plus. eapply Rle_trans; [|apply Rmult_le_compat; [| |exact A|exact B]].
    + right; ring.
    + apply Rmult_le_pos; [left; apply exp_pos|apply chance_nonneg].
    + apply Rmult_le_pos; [left; apply exp_pos|apply peel_nonneg].
Qed.
Lemma peel_pos eta q : forall T U, NoDup T -> incl T U -> 0 < peel eta q (length T) U T.
Proof.
  induction T as [|a t IH]; intros U N I; cbn [length peel]. lra. inversion N; subst.
  assert (A : In a U) by (apply I; left; auto). apply Rmult_lt_0_compat.
  - unfold chance. destruct (in_dec Nat.eq_dec a U); [|contradiction].
    apply Rdiv_lt_0_compat. apply weight_pos. apply total_pos with a; auto.
  - apply IH; auto. intros x X. apply in_in_remove. intros ->; auto. apply I. right; auto.
Qed.

Lemma number_above x : exists n, x < INR n.
Proof.
  exists (Z.to_nat (Z.max (up x) 0)). rewrite INR_IZR_INZ, Z2Nat.id by lia. destruct (archimed x) as (A & _).
  apply Rlt_le_trans with (IZR (up x)); auto. apply IZR_le. lia.
Qed.

Section Suprema.
Variables (b w : Z) (L : nat) (eta : R).
Hypothesis Hb : (0 < b)%Z.
Hypothesis HL : (1 <= L < Z.to_nat w)%nat.
Hypothesis He : 0 < eta.
Let m := Z.to_nat w.
Let B0 : 0 < IZR b. Proof. apply IZR_lt; auto. Qed.

(* with n records on atom 1, all others together weigh little against it *)
Lemma dominated slack first : 0 < slack -> exists n, 
  lsum (seq 0 m) (weight eta (fun j => IZR (scores b first false n j))) <=
  exp slack * weight eta (fun j => IZR (scores b first false n j)) 1.
Proof.
  intros Hs. set (c := INR m * exp (eta * IZR b)).
  assert (C : 0 <= c) by (apply Rmult_le_pos; [apply pos_INR|left; apply exp_pos]).
  destruct (number_above (c / (slack * (eta * IZR b)))) as (n & Hn). exists n.
  set (f := weight eta _). assert (Pos : 0 < f 1%nat) by apply weight_pos.
  assert (G : forall U, NoDup U -> (forall k, In k U -> k <> 1%nat -> f k <= exp (eta * IZR b)) ->
    lsum U f <= f 1%nat + INR (length U) * exp (eta * IZR b)).
  { intros U N H. apply Rle_trans with (lsum (1%nat :: without 1%nat U) f).
    - apply lsum_incl; auto. intros; left; apply weight_pos.
      intros a I _. destruct (Nat.eq_dec a 1) as [->|NE]. left; auto. right. apply in_in_remove; auto.
    - cbn [lsum fold_right]. fold (lsum (without 1%nat U) f). apply Rplus_le_compat_l.
      assert (X : forall V, (forall k, In k V -> f k <= exp (eta * IZR b)) ->
        lsum V f <= INR (length V) * exp (eta * IZR b)).
      { induction V as [|k V IH]; intros K. simpl; lra. cbn [length]. rewrite S_INR. simpl.
        assert (f k <= exp (eta * IZR b)) by (apply K; left; auto).
        assert (lsum V f <= INR (length V) * exp (eta * IZR b)) by (apply IH; intros; apply K; right; auto). lra. }
      eapply Rle_trans. apply X. intros k K. apply in_remove in K. apply H; tauto.
      apply Rmult_le_compat_r; [left; apply exp_pos|]. apply le_INR, remove_length_le. }
  eapply Rle_trans. apply G. apply seq_NoDup.
  - intros k _ NE. unfold f, weight. apply exp_le. apply Rmult_le_compat_l; [lra|]. apply IZR_le.
    unfold scores. destruct k as [|[|k]]; [|congruence|lia]. destruct first; lia.
  - rewrite seq_length. fold c. apply Rle_trans with ((1 + slack) * f 1%nat).
    + rewrite Rmult_plus_distr_r, Rmult_1_l. apply Rplus_le_compat_l.
      assert (F : f 1%nat = exp (eta * IZR (Z.of_nat n * b))) by (unfold f, weight, scores; rewrite Z.add_0_r; auto).
      assert (X := exp_ineq1_le (eta * IZR (Z.of_nat n * b))). rewrite <- F in X.
      rewrite mult_IZR, <- INR_IZR_INZ in X.
      assert (D : 0 < slack * (eta * IZR b)) by (repeat apply Rmult_lt_0_compat; auto).
      apply Rmult_lt_compat_r with (r := slack * (eta * IZR b)) in Hn; [|lra].
      replace (c / (slack * (eta * IZR b)) * (slack * (eta * IZR b))) with c in Hn by (field; lra). nra.
    + apply Rmult_le_compat_r; [lra|]. apply exp_ineq1_le.
Qed.

(* outcomes of L atoms below m: without atom 1, or with atom 1 in the last round *)
Definition others : list nat := 0%nat :: seq 2 (L - 1).
Definition others_then_1 : list nat := match L with S (S k) => 0%nat :: seq 2 k ++ [1%nat] | _ => [1%nat] end.
Lemma others_fine : atoms_below m others /\ length others = L /\ ~ In 1%nat (removelast others).
Proof.
  unfold others. repeat split.
  - constructor; [rewrite in_seq; lia|apply seq_NoDup].
  - intros a [<-|I]. unfold m; lia. apply in_seq in I. unfold m. lia.
  - cbn [length]. rewrite seq_length. lia.
  - intros I. assert (J : In 1%nat (0%nat :: seq 2 (L - 1))).
    { assert (N : 0%nat :: seq 2 (L - 1) <> []) by discriminate. rewrite (app_removelast_last 0%nat N).
      apply in_app_iff. left; auto. }
    destruct J as [J|J]; [discriminate|]. apply in_seq in J. lia.
Qed.
Lemma others_then_1_fine :
  atoms_below m others_then_1 /\ length others_then_1 = L /\ ~ In 1%nat (removelast others_then_1).
Proof.
  unfold others_then_1. destruct L as [|[|k]]; [lia| |].
  - repeat split; auto. constructor; [intros []|constructor]. intros a [<-|[]]. unfold m; lia.
  - repeat split.
    + constructor. rewrite in_app_iff, in_seq. cbn [In]. lia.
      apply (Permutation_NoDup (Permutation_cons_append (seq 2 k) 1%nat)).
      constructor; [rewrite in_seq; lia|apply seq_NoDup].
    + intros a [<-|I]. unfold m; lia. apply in_app_iff in I. rewrite in_seq in I. cbn [In] in I. unfold m. lia.
    + cbn [length]. rewrite app_length, seq_length. simpl. lia.
    + change (0%nat :: seq 2 k ++ [1%nat]) with ((0%nat :: seq 2 k) ++ [1%nat]). rewrite removelast_last.
      intros [|I]; [discriminate|]. apply in_seq in I. lia.
Qed.

(* the change from C to C' on an outcome T: x on atom 0 at first, and beta more on atom 1 *)
Section Limit.
Variables (first more : bool) (T : list nat).
Hypothesis HT : atoms_below m T /\ length T = L /\ ~ In 1%nat (removelast T).
Let beta := if more then b else 0%Z.
Let C n := scores b first false n.
Let C' n := scores b false more n.
Let shift := psum T (fun a => (C 0%nat a - C' 0%nat a)%Z).
Lemma change n a : (C n a - C' n a = C 0%nat a - C' 0%nat a)%Z.
Proof. unfold C, C', scores. destruct a as [|[|a]]; lia. Qed.
Lemma admission_limit eps : eps < eta * IZR shift + INR L * (eta * IZR beta) -> exists n,
  exp eps * admission m L eta (C' n) T < admission m L eta (C n) T.
Proof.
  intros Lt. destruct HT as (A & E & D). assert (L1 : 1 <= INR L) by (apply (le_INR 1); lia).
  set (gap := eta * IZR shift + INR L * (eta * IZR beta) - eps). assert (G0 : 0 < gap) by (unfold gap; lra).
  destruct (dominated (gap / (2 * INR L)) first) as (n & Hn).
  { apply Rdiv_lt_0_compat; lra. }
  exists n. assert (Inc : incl T (seq 0 m)).
  { intros a I. apply in_seq. destruct A as (_ & A). specialize (A a I). lia. }
  assert (P : 0 < admission m L eta (C' n) T).
  { unfold admission. rewrite <- E. apply peel_pos; auto. apply A. }
  assert (K : exp (eta * lsum T (fun a => IZR (C n a) - IZR (C' n a)) +
                   INR L * (eta * IZR beta - gap / (2 * INR L))) * admission m L eta (C' n) T
              <= admission m L eta (C n) T).
  { apply (peel_lower eta (fun j => IZR (C n j)) (fun j => IZR (C' n j)) (IZR beta) _ 1%nat); auto.
    - rewrite <- plus_IZR. f_equal. unfold C, C', scores, beta. lia.
    - apply seq_NoDup.
    - apply in_seq. unfold m. lia. }
  eapply Rlt_le_trans; [|exact K]. apply Rmult_lt_compat_r; auto. apply exp_increasing.
  rewrite lsum_psum, (psum_ext T _ _ (change n)). fold shift.
  replace (INR L * (eta * IZR beta - gap / (2 * INR L))) with (INR L * (eta * IZR beta) - gap / 2) by (field; lra).
  unfold gap in *. lra.
Qed.
Lemma release_limit s eps : 0 < s ->
  eps < eta * IZR shift + INR L * (eta * IZR beta) + s * IZR (psum T (fun a => Z.abs (C 0%nat a - C' 0%nat a))) ->
  exists n o, exp eps * release m L eta s (C' n) o < release m L eta s (C n) o.
Proof.
  intros Hs Lt. set (d := s * _) in *. destruct (admission_limit (eps - d)) as (n & Hn). lra.
  exists n, (T, map (C n) (ascending m T)). unfold release, joint; cbn [fst snd].
  rewrite (laplaces_centre s _ (map (C' n) (ascending m T))) by (rewrite !map_length; auto).
  rewrite distance_psum, <- (psum_perm T) by (apply ascending_perm, HT).
  rewrite (psum_ext T _ (fun a => Z.abs (C 0%nat a - C' 0%nat a))) by (intros a; rewrite change; auto). fold d.
  set (q := laplaces s (map (C' n) _) _).
  assert (Q : 0 < q) by (apply noises_pos; [apply laplace_pos; auto|rewrite !map_length; auto]).
  replace eps with (eps - d + d) by ring. rewrite exp_plus. assert (X := exp_pos d).
  replace (exp (eps - d) * exp d * (admission m L eta (C' n) T * q))
    with (exp (eps - d) * admission m L eta (C' n) T * (exp d * q)) by ring.
  apply Rmult_lt_compat_r; auto. apply Rmult_lt_0_compat; auto.
Qed.
End Limit.

Lemma psum_others f : (forall a, (2 <= a)%nat -> f a = 0%Z) -> psum others f = f 0%nat.
Proof.
  intros H. unfold others, psum; cbn [fold_right]. fold (psum (seq 2 (L - 1)) f). rewrite psum_rest by auto. lia.
Qed.
Lemma psum_then_1 f : (forall a, (2 <= a)%nat -> f a = 0%Z) ->
  psum others_then_1 f = ((if Nat.eq_dec L 1 then 0 else f 0%nat) + f 1%nat)%Z.
Proof.
  intros H. unfold others_then_1. destruct L as [|[|k]]; [lia| |].
  - unfold psum. simpl. lia.
  - unfold psum; cbn [fold_right]. fold (psum (seq 2 k ++ [1%nat]) f). rewrite psum_app, psum_rest by auto.
    destruct (Nat.eq_dec (S (S k)) 1); [lia|]. unfold psum. simpl. lia.
Qed.
Let W : (1 < w)%Z. Proof. lia. Qed.
Notation admits D := (admission m L eta (coord (sketch D b w))).
Ltac total := rewrite ?psum_others, ?psum_then_1 by (intros [|[|?]] ?; auto; lia); unfold scores;
  destruct (Nat.eq_dec L 1); try contradiction; try lia.

Theorem admission_attained r eps : eps < selection_cost r L (eta * IZR b) -> exists D D' T,
  record_adjacent r D D' /\ exp eps * admits D' T < admits D T.
Proof.
  intros Lt. destruct r; unfold selection_cost in Lt.
  - destruct (admission_limit false true others others_fine eps) as (n & K).
    { replace (psum _ _) with 0%Z by total. lra. }
    exists (corpus b w false false n), (corpus b w false true n), others. rewrite !corpus_scores by auto.
    split; auto using corpus_add.
  - destruct (admission_limit true true others others_fine eps) as (n & K).
    { replace (psum _ _) with b by total. lra. }
    exists (corpus b w true false n), (corpus b w false true n), others. rewrite !corpus_scores by auto.
    split; auto using corpus_replace.
Qed.
Theorem admission_gain_attained eps : eps < eta * IZR b -> exists x D T,
  exp eps * admits D T < admits (x :: D) T.
Proof.
  intros Lt. destruct (admission_limit true false others others_fine eps) as (n & K).
  { replace (psum _ _) with b by total. lra. }
  exists (spike b w 0), (corpus b w false false n), others.
  change (spike b w 0 :: corpus b w false false n) with (corpus b w true false n). rewrite !corpus_scores by auto. auto.
Qed.

Section Values.
Variables s : R.
Hypothesis Hs : 0 < s.
Notation releases D := (release m L eta s (coord (sketch D b w))).
Theorem release_attained r eps : eps < joint_cost r L (eta * IZR b) (s * IZR b) -> exists D D' o,
  record_adjacent r D D' /\ exp eps * releases D' o < releases D o.
Proof.
  intros Lt. destruct r; unfold joint_cost in Lt.
  - unfold Rmax in Lt. destruct (Rle_dec _ _) as [_|_] in Lt.
    + destruct (release_limit true false others others_fine s eps Hs) as (n & o & K).
      { replace (psum others _) with b by total. replace (psum others _) with b by total. simpl (IZR 0). lra. }
      exists (corpus b w true false n), (corpus b w false false n), o. rewrite !corpus_scores by auto.
      split; auto using corpus_drop.
    + destruct (Rle_dec _ _) as [_|_] in Lt.
      * destruct (release_limit false true others_then_1 others_then_1_fine s eps Hs) as (n & o & K).
        { replace (psum others_then_1 _) with (- b)%Z by total. replace (psum others_then_1 _) with b by total.
          rewrite opp_IZR. lra. }
        exists (corpus b w false false n), (corpus b w false true n), o. rewrite !corpus_scores by auto.
        split; auto using corpus_add.
      * destruct (release_limit false true others others_fine s eps Hs) as (n & o & K).
        { replace (psum others _) with 0%Z by total. replace (psum others _) with 0%Z by total. lra. }
        exists (corpus b w false false n), (corpus b w false true n), o. rewrite !corpus_scores by auto.
        split; auto using corpus_add.
  - assert (R : forall T, atoms_below m T /\ length T = L /\ ~ In 1%nat (removelast T) ->
      forall x y, psum T (fun a => (scores b true false 0 a - scores b false true 0 a)%Z) = x ->
      psum T (fun a => Z.abs (scores b true false 0 a - scores b false true 0 a)) = y ->
      eps < eta * IZR x + INR L * (eta * IZR b) + s * IZR y -> exists D D' o,
      record_adjacent replacement D D' /\ exp eps * releases D' o < releases D o).
    { intros T HT x y <- <- Q. destruct (release_limit true true T HT s eps Hs Q) as (n & o & K).
      exists (corpus b w true false n), (corpus b w false true n), o. rewrite !corpus_scores by auto.
      split; auto using corpus_replace. }
    destruct (Nat.eq_dec L 1) as [O|O].
    + apply (R others others_fine b b); [total|total|]. rewrite O in *. simpl. lra.
    + unfold Rmax in Lt. destruct (Rle_dec _ _) as [_|_] in Lt.
      * apply (R others_then_1 others_then_1_fine 0%Z (2 * b)%Z); [total|total|]. rewrite mult_IZR. lra.
      * apply (R others others_fine b b); [total|total|]. lra.
Qed.
End Values.
End Suprema.

(* ---- laplace mode: the full factor, where no noise fell ---- *)
Lemma sketch_distance b w D D' : distance (sketch D b w) (sketch D' b w) =
  psum (seq 0 (Z.to_nat w)) (fun j => Z.abs (coord (sketch D b w) j - coord (sketch D' b w) j)).
Proof.
  assert (G : forall D, length (sketch D b w) = Z.to_nat w)
    by (intros E; assert (K := sketch_length E b w); unfold py_len in K; lia).
  rewrite <- distance_psum. rewrite <- (G D) at 1. rewrite <- as_map. rewrite <- (G D'). rewrite <- as_map. reflexivity.
Qed.
Theorem laplace_attained b w s r : (0 < b)%Z -> (0 < w)%Z -> 0 < s -> exists D D' y,
  record_adjacent r D D' /\ 0 < noisy_sketch b w s D' y /\
  noisy_sketch b w s D y = exp (s * IZR (l1_bound r b w)) * noisy_sketch b w s D' y.
Proof.
  intros Hb Hw Hs. destruct (bounds_reached b w Hb Hw r) as (D & D' & A & E). exists D, D', (sketch D b w).
  unfold noisy_sketch.
  assert (Len : length (sketch D b w) = length (sketch D' b w)).
  { assert (K := sketch_length D b w). assert (K' := sketch_length D' b w). unfold py_len in *. lia. }
  split; [|split]; auto.
  - apply noises_pos; auto. apply laplace_pos; auto.
  - replace (l1_bound r b w) with (distance (sketch D b w) (sketch D' b w)). apply laplaces_centre; auto.
    rewrite sketch_distance, (E Z.abs) by (auto; intros; lia). change at_most with l1_bound.
    rewrite Z.abs_eq by lia. reflexivity.
Qed.
