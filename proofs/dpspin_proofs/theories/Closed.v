(* The (epsilon, delta) cost of admission alone, in closed form, for any number of rounds and all four relations.

   tails lsum_without                       ordered outcomes, by the atom that is admitted first
   raised_chance spent peel_value           L rounds keep to the closed form of what is left to lose
   closed_cost closed_add_drop *_replacement the cost of one unit, and its two formulas
   admission_closed_record *_user           admission costs no more, from raw records on *)
From Coq Require Import Reals Lra Lia List ZArith FunctionalExtensionality.
From DPSPIN Require Import PySem Vectors Kernel Records Sketch Users Neighbours Probability Approximate Hoelder Branch.
From DPSPIN Require Import Round Peeling.
Import ListNotations.
Open Scope R_scope.

(* ---- all rounds ---- *)
Lemma value_nonneg n p q A B : 0 <= p -> 0 <= q -> 1 <= A -> 1 <= B -> 0 <= value n p q A B.
Proof.
  assert (G : forall n p q A B, 0 <= p -> 0 <= q -> 1 <= A -> 1 <= B -> A * p <= B * q -> 0 <= first_branch n p q A B).
  { clear. intros n p q A B Hp Hq HA HB L. destruct HB as [HB|<-]; [apply first_branch_nonneg; auto|].
    rewrite first_branch_zero; try lra. rewrite pow1. lra. }
  intros Hp Hq HA HB. destruct n as [|k]; cbn [value]; [apply Rmax_l|].
  destruct (Rle_dec (A * p) (B * q)) as [L|L]; [apply G; auto|]. apply Rnot_le_lt in L.
  destruct (Rle_dec q p) as [Q|Q].
  - assert (0 <= first_branch k q p B A) by (apply G; auto; lra). lra.
  - destruct HA as [HA|<-]; [|exfalso; nra].
    assert (K : (A - 1) * (B * q - p) / (B * A - 1) <= first_branch k q p B A) by (apply linear_branch; auto; lra).
    assert (BA : 0 < B * A - 1) by nra.
    assert (E : p - q + (A - 1) * (B * q - p) / (B * A - 1) = (B - 1) * (A * p - q) / (B * A - 1)) by (field; lra).
    assert (0 <= (B - 1) * (A * p - q) / (B * A - 1)).
    { apply Rmult_le_pos; [apply Rmult_le_pos; [lra|nra]|left; apply Rinv_0_lt_compat; auto]. }
    lra.
Qed.

(* outcomes that begin with a, without it *)
Definition tails (a : nat) (l : list (list nat)) : list (list nat) :=
  flat_map (fun T => match T with b :: t => if Nat.eq_dec a b then [t] else [] | [] => [] end) l.
Lemma tails_in a l t : In t (tails a l) <-> In (a :: t) l.
Proof.
  unfold tails. rewrite in_flat_map. split.
  - intros ([|b s] & I & J); [destruct J|]. destruct (Nat.eq_dec a b) as [->|]; [|destruct J].
    destruct J as [->|[]]; auto.
  - intros I. exists (a :: t). split; auto. destruct (Nat.eq_dec a a); [left; auto|contradiction].
Qed.
Lemma tails_nodup a l : NoDup l -> NoDup (tails a l).
Proof.
  induction 1 as [|T l NI N IH]; simpl. constructor. destruct T as [|b t]; auto.
  destruct (Nat.eq_dec a b) as [->|]; auto. simpl. constructor; auto. intros I. apply NI. apply tails_in in I. auto.
Qed.
Lemma lsum_without (v : nat -> R) a U : NoDup U -> In a U -> lsum U v = v a + lsum (without a U) v.
Proof.
  induction 1 as [|b U NI N IH]; intros I; [destruct I|]. cbn [lsum fold_right remove]. fold (lsum U v).
  destruct (Nat.eq_dec a b) as [->|NE]; simpl.
  - rewrite notin_remove by auto. reflexivity.
  - fold (lsum (without a U) v). destruct I as [->|I]; [contradiction|]. rewrite IH by auto. ring.
Qed.
Section Peel.
Variables (eta : R) (base u v : nat -> R).
Hypothesis He : 0 <= eta.
Hypothesis Hu : forall a, 0 <= u a.
Hypothesis Hv : forall a, 0 <= v a.
Let qu a := base a + u a.
Let qv a := base a + v a.
(* the chance of an atom under raised scores, from its share under the scores as they were *)
Lemma raised_chance (z : nat -> R) U a : In a U -> let omega := chance eta base U in
  chance eta (fun j => base j + z j) U a =
  omega a * exp (eta * z a) / lsum U (fun j => omega j * exp (eta * z j)).
Proof.
  intros I omega. assert (P := total_pos eta base U a I). assert (P' := total_pos eta (fun j => base j + z j) U a I).
  assert (W : forall j, weight eta (fun j => base j + z j) j = weight eta base j * exp (eta * z j))
    by (intros j; unfold weight; rewrite <- exp_plus; f_equal; ring).
  set (Z := lsum U (fun j => omega j * exp (eta * z j))).
  assert (EZ : lsum U (weight eta (fun j => base j + z j)) = lsum U (weight eta base) * Z).
  { unfold Z. rewrite <- lsum_scal. apply lsum_ext. intros j J. rewrite W. unfold omega, chance.
    destruct (in_dec Nat.eq_dec j U); [|contradiction]. field. lra. }
  unfold omega at 1, chance. destruct (in_dec Nat.eq_dec a U); [|contradiction]. rewrite W, EZ in *.
  assert (Z <> 0) by (intros Z0; rewrite Z0 in P'; lra). field. split; lra.
Qed.
Lemma spent (z : nat -> R) c U : (forall a, 0 <= z a) -> NoDup U -> lsum U z <= c -> forall a, In a U ->
  1 <= exp (eta * z a) <= exp (eta * c) /\ lsum (without a U) z <= c - z a /\
  exp (eta * (c - z a)) = exp (eta * c) / exp (eta * z a).
Proof.
  intros Hz N H a I. assert (E := lsum_without z a U N I).
  assert (0 <= lsum (without a U) z) by (apply lsum_nonneg; auto). split; [split|split].
  - rewrite <- exp_0. apply exp_le, Rmult_le_pos; auto.
  - apply exp_le, Rmult_le_compat_l; auto. lra.
  - lra.
  - unfold Rdiv. rewrite <- exp_Ropp, <- exp_plus. f_equal. ring.
Qed.
Lemma peel_value L : forall U cu cv p r, NoDup U -> lsum U u <= cu -> lsum U v <= cv -> 0 <= p -> 0 <= r ->
  0 <= cu -> 0 <= cv -> forall l, NoDup l ->
  lsum l (fun T => Rmax 0 (p * peel eta qu L U T - r * peel eta qv L U T)) <=
  value L p r (exp (eta * cu)) (exp (eta * cv)).
Proof.
  induction L as [|L IH]; intros U cu cv p r N Su Sv Hp Hr Cu Cv l Nl.
  - apply Rle_trans with (lsum [[]] (fun T => Rmax 0 (p * peel eta qu 0 U T - r * peel eta qv 0 U T))).
    + apply lsum_incl; auto. intros; apply Rmax_l. intros [|a t] _ H; [left; auto|]. exfalso. apply H.
      cbn [peel]. rewrite !Rmult_0_r, Rmax_left; lra.
    + cbn [lsum fold_right peel value]. rewrite !Rmult_1_r. lra.
  - assert (A1 : 1 <= exp (eta * cu)) by (rewrite <- exp_0; apply exp_le, Rmult_le_pos; auto).
    assert (B1 : 1 <= exp (eta * cv)) by (rewrite <- exp_0; apply exp_le, Rmult_le_pos; auto).
    set (f := fun T => Rmax 0 (p * peel eta qu (S L) U T - r * peel eta qv (S L) U T)).
    apply Rle_trans with (lsum (flat_map (fun a => map (cons a) (tails a l)) U) f).
    { apply lsum_incl; auto. intros; apply Rmax_l. intros [|a t] I H.
      - exfalso. apply H. unfold f. cbn [peel]. rewrite !Rmult_0_r, Rmax_left; lra.
      - apply in_flat_map. exists a. split.
        + destruct (in_dec Nat.eq_dec a U) as [|NU]; auto. exfalso. apply H. unfold f. cbn [peel]. unfold chance.
          destruct (in_dec Nat.eq_dec a U); [contradiction|]. rewrite !Rmult_0_l, !Rmult_0_r, Rmax_left; lra.
        + apply in_map, tails_in; auto. }
    rewrite lsum_flat_map. destruct U as [|a0 U0]; [apply value_nonneg; auto|]. set (U := a0 :: U0) in *.
    set (omega := chance eta base U).
    set (x := fun a => exp (eta * u a)). set (y := fun a => exp (eta * v a)).
    assert (O : forall a, In a U -> 0 <= omega a) by (intros; apply chance_nonneg).
    assert (T1 : lsum U omega = 1).
    { assert (P := total_pos eta base U a0 (or_introl eq_refl)).
      rewrite (lsum_ext U omega (fun a => / lsum U (weight eta base) * weight eta base a)).
      - rewrite lsum_scal. field; lra.
      - intros a I. unfold omega, chance. destruct (in_dec Nat.eq_dec a U); [unfold Rdiv; ring|contradiction]. }
    apply Rle_trans with (lsum U (next U omega x y p r (exp (eta * cu)) (exp (eta * cv)) L)).
    + apply lsum_le. intros a I. destruct (spent u cu U Hu N Su a I) as (X1 & X2 & X3).
      destruct (spent v cv U Hv N Sv a I) as (Y1 & Y2 & Y3).
      assert (Ru := raised_chance u U a I). assert (Rv := raised_chance v U a I). cbv zeta in Ru, Rv.
      fold omega qu in Ru. fold omega qv in Rv. fold x in Ru. fold y in Rv.
      rewrite lsum_map. rewrite (lsum_ext (tails a l) _ (fun t => Rmax 0
        (p * chance eta qu U a * peel eta qu L (without a U) t - r * chance eta qv U a * peel eta qv L (without a U)
          t))).
      * eapply Rle_trans.
        { apply (IH (without a U) (cu - u a) (cv - v a)); auto using without_nodup, tails_nodup.
          - apply Rmult_le_pos; auto. apply chance_nonneg.
          - apply Rmult_le_pos; auto. apply chance_nonneg.
          - assert (0 <= lsum (without a U) u) by (apply lsum_nonneg; auto). lra.
          - assert (0 <= lsum (without a U) v) by (apply lsum_nonneg; auto). lra. }
        right. unfold next. rewrite Ru, Rv, X3, Y3. unfold x, y, Rdiv. f_equal; ring.
      * intros t _. unfold f. cbn [peel]. f_equal. ring.
    + apply value_step; auto.
      * intros a I. apply (spent u cu U Hu N Su a I).
      * intros a I. apply (spent v cv U Hv N Sv a I).
Qed.
End Peel.

(* ---- the cost of one unit, a = eta B ---- *)
Definition closed_cost (r : adjacency) (L : nat) (a eps : R) : R :=
  match r with
  | add_drop => Rmax (value L 1 (exp eps) 1 (exp a)) (value L 1 (exp eps) (exp a) 1)
  | replacement => value L 1 (exp eps) (exp a) (exp a)
  end.
Theorem closed_add_drop L a eps : (1 <= L)%nat -> 0 < a <= eps -> closed_cost add_drop L a eps =
  Rmax 0 (exp (INR L * a / (INR L + 1)) - exp (eps / (INR L + 1))) ^ S L / (exp a - 1) ^ L.
Proof.
  intros HL (A0 & A1). destruct L as [|k]; [lia|]. assert (L1 := exp_le _ _ A1).
  assert (EA : 1 < exp a) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (K0 : 0 <= INR (S k)) by apply pos_INR. unfold closed_cost, value.
  destruct (Rle_dec (1 * 1) (exp a * exp eps)) as [_|N]; [|exfalso; apply N; nra].
  destruct (Rle_dec (exp a * 1) (1 * exp eps)) as [_|N]; [|exfalso; apply N; lra].
  rewrite (first_branch_zero k 1 (exp eps) (exp a) 1) by (try rewrite pow1; lra).
  rewrite Rmax_left by (apply first_branch_nonneg; lra). unfold first_branch. rewrite Rmult_1_l, Rmult_1_r.
  rewrite (root_unique (S k) (exp a ^ S k) (exp (INR (S k) * a / (INR (S k) + 1)))),
    (root_unique (S k) (exp eps) (exp (eps / (INR (S k) + 1)))).
  - rewrite Rmult_1_l. reflexivity.
  - left; apply exp_pos.
  - left; apply exp_pos.
  - rewrite exp_power. f_equal. rewrite (S_INR (S k)). field. lra.
  - apply pow_le. left; apply exp_pos.
  - left; apply exp_pos.
  - rewrite !exp_power. f_equal. rewrite (S_INR (S k)). field. lra.
Qed.
Theorem closed_replacement L a eps : (1 <= L)%nat -> 0 < a -> 0 <= eps -> closed_cost replacement L a eps =
  Rmax 0 (exp a - exp (eps / (INR L + 1))) ^ S L / ((exp a + 1) * (exp a - 1) ^ L).
Proof.
  intros HL A0 E0. destruct L as [|k]; [lia|]. assert (E1 : 1 <= exp eps) by (rewrite <- exp_0; apply exp_le; auto).
  assert (EA : 1 < exp a) by (rewrite <- exp_0; apply exp_increasing; auto).
  assert (K0 : 0 <= INR (S k)) by apply pos_INR. unfold closed_cost, value.
  destruct (Rle_dec (exp a * 1) (exp a * exp eps)) as [_|N]; [|exfalso; apply N; nra].
  unfold first_branch. rewrite Rmult_1_r.
  rewrite (root_unique (S k) (exp a * exp a ^ S k) (exp a)), (root_unique (S k) (exp eps) (exp (eps / (INR (S k) +
    1)))).
  - replace (exp a * exp a - 1) with ((exp a + 1) * (exp a - 1)) by ring. rewrite Rmult_assoc. reflexivity.
  - left; apply exp_pos.
  - left; apply exp_pos.
  - rewrite exp_power. f_equal. rewrite (S_INR (S k)). field. lra.
  - apply Rmult_le_pos; [left; apply exp_pos|apply pow_le; left; apply exp_pos].
  - left; apply exp_pos.
  - reflexivity.
Qed.
Section FromRecords.
Variables (b w : Z) (L : nat) (eta eps : R).
Hypothesis Hb : (0 <= b)%Z.
Hypothesis HL : (L <= Z.to_nat w)%nat.
Hypothesis He : 0 <= eta.
Notation admitted v := (admission (Z.to_nat w) L eta (coord v)).
Let a := eta * IZR b.
Lemma piece_sum v : (forall k, piece b k v) -> lsum (seq 0 (Z.to_nat w)) (fun j => IZR (v j)) <= IZR b.
Proof.
  intros P. replace (lsum (seq 0 (Z.to_nat w)) (fun j => IZR (v j))) with (IZR (psum (seq 0 (Z.to_nat w)) v)).
  - apply (piece_total (Z.to_nat w) b v P). split; [apply seq_NoDup|intros j J; apply in_seq in J; lia].
  - generalize (seq 0 (Z.to_nat w)) as s. unfold psum. induction s as [|j s IH]; simpl; auto.
    rewrite plus_IZR, IH. auto.
Qed.
(* C is base plus a piece u, or nothing; C' is base plus a piece v, or nothing *)
Lemma closed_excess x y (base u v : nat -> Z) cu cv : (forall j, coord x j = (base j + u j)%Z) ->
  (forall j, coord y j = (base j + v j)%Z) -> (forall j, (0 <= u j)%Z) -> (forall j, (0 <= v j)%Z) ->
  lsum (seq 0 (Z.to_nat w)) (fun j => IZR (u j)) <= cu -> lsum (seq 0 (Z.to_nat w)) (fun j => IZR (v j)) <= cv ->
  0 <= cu -> 0 <= cv -> forall l, NoDup l ->
  lsum l (excess eps (admitted x) (admitted y)) <= value L 1 (exp eps) (exp (eta * cu)) (exp (eta * cv)).
Proof.
  intros Ex Ey Pu Pv Su Sv Cu Cv l N.
  assert (K := peel_value eta (fun j => IZR (base j)) (fun j => IZR (u j)) (fun j => IZR (v j)) He
    (fun j => IZR_le _ _ (Pu j)) (fun j => IZR_le _ _ (Pv j)) L (seq 0 (Z.to_nat w)) cu cv 1 (exp eps) (seq_NoDup _ _)
    Su Sv ltac:(lra) ltac:(left; apply exp_pos) Cu Cv l N).
  eapply Rle_trans; [|exact K]. right. apply lsum_ext. intros T _. unfold excess, admission. rewrite Rmult_1_l.
  replace (fun j => IZR (coord x j)) with (fun j => IZR (base j) + IZR (u j)).
  - replace (fun j => IZR (coord y j)) with (fun j => IZR (base j) + IZR (v j)); auto.
    apply functional_extensionality. intros j. rewrite Ey, plus_IZR. reflexivity.
  - apply functional_extensionality. intros j. rewrite Ex, plus_IZR. reflexivity.
Qed.
Lemma closed_moved r x y : moved r b w x y -> nearly eps (closed_cost r L a eps) (admitted x) (admitted y).
Proof.
  assert (B0 := IZR_le _ _ Hb). assert (Z0 : lsum (seq 0 (Z.to_nat w)) (fun j => IZR 0) <= 0).
  { generalize (seq 0 (Z.to_nat w)) as s. induction s; simpl; lra. }
  assert (E0 : exp (eta * 0) = 1) by (rewrite Rmult_0_r, exp_0; auto).
  assert (G : forall x y, gains b w x y -> nearly eps (closed_cost add_drop L a eps) (admitted x) (admitted y)).
  { clear x y. intros x y (v & P & E). assert (PR := piece_range b v P).
    split; [|split; [|split]]; try (apply admission_law; auto); intros l N.
    - eapply Rle_trans; [|apply Rmax_l]. rewrite <- E0 at 2. unfold a.
      apply (closed_excess x y (coord x) (fun _ => 0%Z) v 0 (IZR b)); auto using piece_sum; try lra; intros; try lia.
      apply PR.
    - eapply Rle_trans; [|apply Rmax_r]. rewrite <- E0 at 2. unfold a.
      apply (closed_excess y x (coord x) v (fun _ => 0%Z) (IZR b) 0); auto using piece_sum; try lra; intros; try lia.
      apply PR. }
  destruct r; simpl moved.
  - intros [M|M]; [apply G; auto|]. destruct (G _ _ M) as (H & H' & K & K'). split; [|split; [|split]]; auto.
  - intros (u & v & P & Q & E). assert (PR := piece_range b u P). assert (QR := piece_range b v Q).
    split; [|split; [|split]]; try (apply admission_law; auto); intros l N; unfold closed_cost, a.
    + apply (closed_excess x y (fun j => coord x j - u j)%Z u v (IZR b) (IZR b)); auto using piece_sum;
        intros j; assert (Pj := PR j); assert (Qj := QR j); try rewrite E; lia.
    + apply (closed_excess y x (fun j => coord x j - u j)%Z v u (IZR b) (IZR b)); auto using piece_sum;
        intros j; assert (Pj := PR j); assert (Qj := QR j); try rewrite E; lia.
Qed.
Theorem admission_closed_record r D D' : record_adjacent r D D' ->
  nearly eps (closed_cost r L a eps) (admitted (sketch D b w)) (admitted (sketch D' b w)).
Proof. intros A. apply closed_moved, record_moved; auto. Qed.
Theorem admission_closed_user r D D' : user_adjacent r D D' ->
  nearly eps (closed_cost r L a eps) (admitted (user_sketch D b w)) (admitted (user_sketch D' b w)).
Proof. intros A. apply closed_moved, user_moved; auto. Qed.
End FromRecords.
