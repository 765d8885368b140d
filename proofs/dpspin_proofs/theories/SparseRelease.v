(* The release in private_top_l mode with Laplace values: admission by peeling, then noise on the admitted masses.

   ascending                                the admitted atoms in order of their numbers, as their noise is drawn
   release release_law                      the joint law of admission and values has total mass one
   joint_cost release_record release_user   its cost under all four relations; less than admission and values composed
   sparse_plan top_l_plan                   the plan, and whatever is computed from it
   all_admitted_record *_user               where every atom is admitted, only the values cost
   calibrated_add_drop *_replacement        the shares of epsilon cover the joint cost *)
From Coq Require Import Reals Lra Lia List ZArith Permutation.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch Users Neighbours Probability Noise.
From DPSPIN Require Import Laplace Peeling.
Import ListNotations.
Open Scope R_scope.

(* ---- the admitted atoms in order of their numbers ---- *)
Definition ascending (m : nat) (T : list nat) : list nat :=
  filter (fun a => if in_dec Nat.eq_dec a T then true else false) (seq 0 m).
Lemma ascending_perm m T : atoms_below m T -> Permutation T (ascending m T).
Proof.
  intros (N & I). apply NoDup_Permutation; auto. apply NoDup_filter, seq_NoDup. intros a. unfold ascending.
  rewrite filter_In, in_seq. destruct (in_dec Nat.eq_dec a T) as [A|A].
  - specialize (I a A). split; auto. intros _. split; auto. lia.
  - split; [contradiction|]. intros (_ & H). discriminate.
Qed.
Lemma ascending_all m T : atoms_below m T -> length T = m -> ascending m T = seq 0 m.
Proof.
  intros (N & I) L. assert (H : incl (seq 0 m) T).
  { apply NoDup_length_incl; auto. rewrite seq_length. lia. intros a A. apply in_seq. specialize (I a A). lia. }
  unfold ascending. revert H. generalize (seq 0 m) as s. induction s as [|a s IH]; intros H; simpl; auto.
  destruct (in_dec Nat.eq_dec a T) as [A|A].
  - f_equal. apply IH. intros x X. apply H. right; auto.
  - exfalso. apply A, H. left; auto.
Qed.
Lemma psum_perm T T' v : Permutation T T' -> psum T v = psum T' v.
Proof. unfold psum. induction 1; simpl; lia. Qed.

(* ---- the joint law ---- *)
Section Release.
Variables (m L : nat) (eta s : R).
Hypothesis HL : (L <= m)%nat.
Hypothesis He : 0 <= eta.
Hypothesis Hs : 0 < s.
Definition release (C : nat -> Z) : list nat * list Z -> R :=
  joint (admission m L eta C) (fun T => laplaces s (map C (ascending m T))).
Theorem release_law C : law (release C).
Proof.
  apply law_joint. apply list_eq_dec, Nat.eq_dec. apply admission_law; auto. intros T. apply laplaces_law; auto.
Qed.
Lemma release_nonneg C o : 0 <= release C o.
Proof. apply (release_law C). Qed.

(* every bound below is an instance of this one *)
Lemma release_le C C' beta bound : (forall j, (C' j - C j <= beta)%Z) ->
  (forall T, atoms_below m T -> length T = L ->
     eta * IZR (psum T (fun a => (C a - C' a)%Z)) + INR L * (eta * IZR beta) +
     s * IZR (psum T (fun a => Z.abs (C a - C' a)%Z)) <= bound) ->
  ratio bound (release C) (release C').
Proof.
  intros Hbeta B (T & ys). unfold release, joint; cbn [fst snd].
  assert (P0 := admission_nonneg m L eta C T). assert (P1 := admission_nonneg m L eta C' T).
  assert (Q0 := laplaces_nonneg s Hs (map C (ascending m T)) ys).
  assert (Q1 := laplaces_nonneg s Hs (map C' (ascending m T)) ys).
  destruct (Req_dec (admission m L eta C T) 0) as [Z0|NZ].
  { rewrite Z0, Rmult_0_l. apply Rmult_le_pos; [left; apply exp_pos|apply Rmult_le_pos; auto]. }
  destruct (admission_support m L eta C T NZ) as (I & E). specialize (B T I E).
  assert (A := admission_tilt m L eta He C C' beta T Hbeta).
  assert (D := laplaces_ratio s Hs (map C (ascending m T)) (map C' (ascending m T))
    ltac:(rewrite !map_length; auto) ys).
  rewrite distance_psum, <- (psum_perm T) in D by (apply ascending_perm; auto).
  eapply Rle_trans. apply Rmult_le_compat; [exact P0|exact Q0|exact A|exact D].
  set (x := eta * _ + _) in *. set (y := s * _) in *. set (p := admission m L eta C' T) in *.
  set (q := laplaces s (map C' (ascending m T)) ys) in *.
  replace (exp x * p * (exp y * q)) with (exp (x + y) * (p * q)) by (rewrite exp_plus; ring).
  apply Rmult_le_compat_r. apply Rmult_le_pos; auto. apply exp_le; auto.
Qed.

(* C' is C plus one piece: one unit is added *)
Lemma release_gain b C C' v : (forall k, piece b k v) -> (forall j, C' j = (C j + v j)%Z) ->
  ratio (eta * IZR b + s * IZR b) (release C') (release C).
Proof.
  intros P E. assert (K := piece_range b v P). apply release_le with 0%Z.
  - intros j. rewrite E. specialize (K j). lia.
  - intros T I _. rewrite (gain_up C C' v E), (psum_ext T (fun a => Z.abs (C' a - C a)) v).
    + destruct (piece_total m b v P T I). simpl (IZR 0). nra.
    + intros a. rewrite E. specialize (K a). lia.
Qed.
Lemma release_loss b C C' v : (forall k, piece b k v) -> (forall j, C' j = (C j + v j)%Z) ->
  ratio (INR L * (eta * IZR b) + Rmax 0 (s * IZR b - eta * IZR b)) (release C) (release C').
Proof.
  intros P E. assert (K := piece_range b v P). apply release_le with b.
  - intros j. rewrite E. specialize (K j). lia.
  - intros T I _. rewrite (gain_down C C' v E), opp_IZR, (psum_ext T (fun a => Z.abs (C a - C' a)) v).
    + destruct (piece_total m b v P T I).
      assert (X := Rmax_l 0 (s * IZR b - eta * IZR b)). assert (Y := Rmax_r 0 (s * IZR b - eta * IZR b)).
      set (r := Rmax _ _) in *. destruct (Rle_dec s eta); nra.
    + intros a. rewrite E. specialize (K a). lia.
Qed.

Section Swap.    (* C' is C minus one piece plus another: one unit is replaced *)
Variables (b : Z) (C C' u v : nat -> Z).
Hypothesis Pu : forall k, piece b k u.
Hypothesis Pv : forall k, piece b k v.
Hypothesis E : forall j, C' j = (C j - u j + v j)%Z.
Let U := piece_range b u Pu.
Let V := piece_range b v Pv.
Lemma swap_spread T : (psum T (fun a => Z.abs (C a - C' a)) <= psum T u + psum T v)%Z.
Proof. rewrite <- psum_plus. apply psum_le2. intros a. rewrite E. assert (X := U a). assert (Y := V a). lia. Qed.
Lemma swap_below j : (C' j - C j <= b)%Z.
Proof. rewrite E. assert (X := U j). assert (Y := V j). lia. Qed.
Lemma release_swap :
  ratio (INR L * (eta * IZR b) + s * IZR b + Rmax (eta * IZR b) (s * IZR b)) (release C) (release C').
Proof.
  apply release_le with b. apply swap_below.
  intros T I _. rewrite (swap_total C C' u v E), minus_IZR.
  assert (K := IZR_le _ _ (swap_spread T)). rewrite plus_IZR in K.
  destruct (piece_total m b u Pu T I), (piece_total m b v Pv T I).
  assert (X := Rmax_l (eta * IZR b) (s * IZR b)). assert (Y := Rmax_r (eta * IZR b) (s * IZR b)).
  set (r := Rmax _ _) in *.
  set (p := IZR (psum T u)) in *. set (q := IZR (psum T v)) in *. set (z := IZR (psum T (fun a => Z.abs _))) in *.
  assert (s * z <= s * (p + q)) by (apply Rmult_le_compat_l; lra).
  assert ((eta + s) * p <= (eta + s) * IZR b) by (apply Rmult_le_compat_l; lra).
  assert ((s - eta) * q <= r - eta * IZR b) by (destruct (Rle_dec s eta); nra). nra.
Qed.
(* a single admitted value moves by b at most *)
Lemma release_swap_one : L = 1%nat -> ratio (2 * (eta * IZR b) + s * IZR b) (release C) (release C').
Proof.
  intros O. apply release_le with b. apply swap_below.
  intros T I Q. rewrite O in *. destruct T as [|a [|]]; try discriminate. simpl. rewrite !Z.add_0_r.
  assert (X := U a). assert (Y := V a).
  assert (K : (Z.abs (C a - C' a) <= b)%Z) by (rewrite E; lia).
  assert (K' : (C a - C' a <= b)%Z) by (rewrite E; lia). apply IZR_le in K, K'.
  assert (eta * IZR (C a - C' a) <= eta * IZR b) by (apply Rmult_le_compat_l; auto).
  assert (s * IZR (Z.abs (C a - C' a)) <= s * IZR b) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Swap.
End Release.

(* ---- a = eta B and v = s B, as the accounting has it ---- *)
Definition joint_cost (r : adjacency) (L : nat) (a v : R) : R :=
  match r with
  | add_drop => Rmax (INR L * a + Rmax 0 (v - a)) (a + v)
  | replacement => if Nat.eq_dec L 1 then 2 * a + v else INR L * a + v + Rmax a v
  end.
Section FromRecords.
Variables (b w : Z) (L : nat) (eta s : R).
Hypothesis Hb : (0 <= b)%Z.
Hypothesis HL : (L <= Z.to_nat w)%nat.
Hypothesis He : 0 <= eta.
Hypothesis Hs : 0 < s.
Notation released v := (release (Z.to_nat w) L eta s (coord v)).
Lemma release_moved r v v' : moved r b w v v' ->
  close (joint_cost r L (eta * IZR b) (s * IZR b)) (released v) (released v').
Proof.
  assert (G : forall x y, gains b w x y ->
    close (joint_cost add_drop L (eta * IZR b) (s * IZR b)) (released x) (released y)).
  { intros x y (f & P & E). split; [|split; [|split]]; try apply release_law; auto;
      (eapply ratio_weaken; [intros; apply release_nonneg; auto| |]).
    - apply Rmax_l. - apply release_loss with f; auto. - apply Rmax_r. - apply release_gain with f; auto. }
  assert (S : forall x y, swaps b w x y ->
    ratio (joint_cost replacement L (eta * IZR b) (s * IZR b)) (released x) (released y)).
  { intros x y (f & g & P & Q & E). unfold joint_cost. destruct (Nat.eq_dec L 1).
    - apply release_swap_one with f g; auto.
    - apply release_swap with f g; auto. }
  destruct r; simpl moved.
  - intros [M|M]; [apply G; auto|apply close_sym, G; auto].
  - intros M. split; [|split; [|split]]; try apply release_law; auto. apply S, swaps_sym; auto.
Qed.
Theorem release_record r D D' : record_adjacent r D D' ->
  close (joint_cost r L (eta * IZR b) (s * IZR b)) (released (sketch D b w)) (released (sketch D' b w)).
Proof. intros A. apply release_moved, record_moved; auto. Qed.
Theorem release_user r D D' : user_adjacent r D D' ->
  close (joint_cost r L (eta * IZR b) (s * IZR b)) (released (user_sketch D b w)) (released (user_sketch D' b w)).
Proof. intros A. apply release_moved, user_moved; auto. Qed.
End FromRecords.

(* ---- the plan: atoms and noisy masses, largest first; the order of admission is not released ---- *)
Definition sparse_plan (m : nat) (o : list nat * list Z) : list (Z * Z) :=
  py_sorted (fun e => [(- snd e)%Z; fst e]) (combine (map Z.of_nat (ascending m (fst o))) (snd o)).
Theorem top_l_plan {Y} m (f : list (Z * Z) -> Y) eps p p' : close eps p p' ->
  indistinct eps (fun o => f (sparse_plan m o)) p p'.
Proof. apply close_events. Qed.

(* ---- where every atom is admitted, the plan is a function of the values alone ---- *)
Section AllAdmitted.
Variables (b w : Z) (eta s : R).
Hypothesis Hb : (0 <= b)%Z.
Hypothesis Hs : 0 < s.
Let m := Z.to_nat w.
Notation released v := (release m m eta s (coord v)).
Lemma all_admitted_event {Y} q (f : list (Z * Z) -> Y) (E : Y -> Prop) v x : law q -> py_len v = Z.max w 0 -> 0 <= x ->
  probability (noises q v) (fun ys => E (f (sparse_plan m (seq 0 m, ys)))) x ->
  probability (joint (admission m m eta (coord v)) (fun T => noises q (map (coord v) (ascending m T))))
    (fun o => E (f (sparse_plan m o))) x.
Proof.
  intros Q L X P. apply probability_joint; auto.
  - apply list_eq_dec, Nat.eq_dec.
  - apply admission_law; auto.
  - intros T. apply noises_law; auto.
  - intros T NZ. destruct (admission_support m m eta _ T NZ) as (I & J). unfold sparse_plan in *. cbn [fst snd] in *.
    rewrite (ascending_all m T I J).
    rewrite (ascending_all m (seq 0 m)) in P.
    + replace (map (coord v) (seq 0 m)) with v; auto. rewrite (as_map v) at 1. do 2 f_equal.
      unfold m, py_len in *. lia.
    + split; [apply seq_NoDup|intros a A; apply in_seq in A; lia].
    + apply seq_length.
Qed.
Lemma all_admitted_moved {Y} r (f : list (Z * Z) -> Y) v v' : py_len v = Z.max w 0 -> py_len v' = Z.max w 0 ->
  moved r b w v v' -> indistinct (s * IZR (l1_bound r b w)) (fun o => f (sparse_plan m o)) (released v) (released v').
Proof.
  intros L L' M E. assert (C := noisy_moved b w s Hb Hs r v v' L L' M).
  destruct (close_events _ _ _ (fun ys => f (sparse_plan m (seq 0 m, ys))) C E) as (x & x' & P & P' & B & B' & K).
  exists x, x'. split; [|split]; auto; apply all_admitted_event; auto; try lra; apply laplace_law; auto.
Qed.
Theorem all_admitted_record {Y} r (f : list (Z * Z) -> Y) D D' : record_adjacent r D D' ->
  indistinct (s * IZR (l1_bound r b w)) (fun o => f (sparse_plan m o))
    (released (sketch D b w)) (released (sketch D' b w)).
Proof. intros A. apply all_admitted_moved; try apply sketch_length. apply record_moved; auto. Qed.
Theorem all_admitted_user {Y} r (f : list (Z * Z) -> Y) D D' : user_adjacent r D D' ->
  indistinct (s * IZR (l1_bound r b w)) (fun o => f (sparse_plan m o))
    (released (user_sketch D b w)) (released (user_sketch D' b w)).
Proof. intros A. apply all_admitted_moved; try apply sketch_length. apply user_moved; auto. Qed.
End AllAdmitted.

(* ---- shares of epsilon: exponent es / (L B) or es / ((L + 1) B), rate ev / B or ev / (2 B) ---- *)
Theorem calibrated_add_drop L es ev : (1 <= L)%nat -> 0 <= es -> 0 <= ev ->
  joint_cost add_drop L (es / INR L) ev <= es + ev.
Proof.
  intros HL H1 H2. assert (1 <= INR L) by (apply (le_INR 1); lia). unfold joint_cost.
  assert (Q : 0 <= es / INR L <= es).
  { split. apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra.
    apply Rmult_le_reg_r with (INR L). lra. replace (es / INR L * INR L) with es by (field; lra). nra. }
  replace (INR L * (es / INR L)) with es by (field; lra). apply Rmax_lub; [|lra].
  assert (Rmax 0 (ev - es / INR L) <= ev) by (apply Rmax_lub; lra). lra.
Qed.
Theorem calibrated_replacement L es ev : (1 <= L)%nat -> 0 <= es -> 0 <= ev ->
  joint_cost replacement L (es / (INR L + 1)) (ev / (if Nat.eq_dec L 1 then 1 else 2)) <= es + ev.
Proof.
  intros HL H1 H2. assert (1 <= INR L) by (apply (le_INR 1); lia). unfold joint_cost.
  assert (X : (INR L + 1) * (es / (INR L + 1)) = es) by (field; lra).
  assert (0 <= es / (INR L + 1)) by (apply Rmult_le_pos; auto; left; apply Rinv_0_lt_compat; lra).
  set (a := es / (INR L + 1)) in *. destruct (Nat.eq_dec L 1) as [->|_].
  - simpl in X. lra.
  - assert (Rmax a (ev / 2) <= a + ev / 2) by (apply Rmax_lub; lra). nra.
Qed.
