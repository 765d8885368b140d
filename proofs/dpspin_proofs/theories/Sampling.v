(* Exact sampling: the least k with U < F(k), decided on the first bits of U and on enclosures of F(k).

   least least_unique least_exists          what is drawn; every U in [0, 1) draws exactly one k
   least_at_most least_interval             so X <= k is U < F(k): the law is F
   side side_sound accepted_least           the integer tests of the sampler are sound, whatever bits and enclosures
   accepted_same                            and every way to an accepted answer gives the same one
   prefixes_below prefixes_undecided        of 2^b prefixes, how many decide; all but one at most do
   zero_draws_nothing                       why magnitudes are drawn: without a least value, U = 0 would draw nothing
   quotient_enclosed                        enclosures of a quotient, as the tails and shares of the sampler take them
   magnitude_cumulative *_by_inversion      the sampler's F gives the discrete Laplace law
   chance_by_inversion chance_shift         and the shares of the atoms left give a round of peeling *)
From Coq Require Import Reals Lra Lia List Arith ZArith.
From DPSPIN Require Import Vectors Probability Laplace Peeling.
Import ListNotations.
Open Scope R_scope.

(* ---- inversion ---- *)
Definition least (F : nat -> R) (U : R) (k : nat) := U < F k /\ forall j, (j < k)%nat -> F j <= U.
Lemma least_unique F U k k' : least F U k -> least F U k' -> k = k'.
Proof.
  intros (A & B) (A' & B'). destruct (Nat.lt_trichotomy k k') as [H|[H|H]]; auto.
  - specialize (B' k H). lra.
  - specialize (B k' H). lra.
Qed.
Theorem least_exists F U : (forall e, 0 < e -> exists k, 1 - e < F k) -> U < 1 -> exists k, least F U k.
Proof.
  intros Lim H. destruct (Lim (1 - U) ltac:(lra)) as (n & Hn). assert (Fn : U < F n) by lra. clear Hn.
  assert (G : forall n, (forall j, (j < n)%nat -> F j <= U) \/ exists k, least F U k).
  { induction n0 as [|i [IH|IH]]; auto. left; intros; lia.
    destruct (Rlt_dec U (F i)) as [Y|Y]; [right; exists i; split; auto|left].
    intros j J. destruct (Nat.eq_dec j i) as [->|]. lra. apply IH. lia. }
  destruct (G (S n)) as [K|K]; auto. specialize (K n ltac:(lia)). lra.
Qed.
Section Inversion.
Variables (F : nat -> R) (U : R).
Hypothesis up : forall i j, (i <= j)%nat -> F i <= F j.
Theorem least_at_most k : least F U k -> forall j, (k <= j)%nat <-> U < F j.
Proof.
  intros (A & B) j. split; intros H.
  - specialize (up k j H). lra.
  - destruct (Nat.le_gt_cases k j); auto. specialize (B j ltac:(lia)). lra.
Qed.
Theorem least_interval k : least F U k <-> (match k with O => True | S j => F j <= U end) /\ U < F k.
Proof.
  split.
  - intros (A & B). split; auto. destruct k; auto.
  - intros (A & B). split; auto. intros j J. destruct k as [|k]; [lia|]. specialize (up j k ltac:(lia)). lra.
Qed.
End Inversion.

(* ---- the sampler's integer tests: u is the number of the first b bits of U, low and high enclose 2^(2 b) F(k) ---- *)
Definition power (b : nat) : Z := (2 ^ Z.of_nat b)%Z.
Definition prefix (U : R) (u : Z) (b : nat) := IZR u <= IZR (power b) * U < IZR u + 1.
Definition encloses (low high : Z) (x : R) := IZR low <= x <= IZR high.
Definition side (low high u : Z) (b : nat) : Z :=
  ((if (u + 1) * power b <=? low then 1 else 0) - (if u * power b >=? high then 1 else 0))%Z.
Lemma power_pos b : 0 < IZR (power b).
Proof. apply IZR_lt. unfold power. apply Z.pow_pos_nonneg; lia. Qed.
Lemma power_plus b c : power (b + c) = (power b * power c)%Z.
Proof. unfold power. rewrite Nat2Z.inj_add, Z.pow_add_r by lia. reflexivity. Qed.
Theorem side_sound U x low high u b : prefix U u b -> encloses low high (IZR (power (2 * b)) * x) ->
  ((side low high u b > 0)%Z -> U < x) /\ ((side low high u b < 0)%Z -> x <= U).
Proof.
  intros (P1 & P2) (E1 & E2). assert (Q := power_pos b). unfold side.
  replace (2 * b)%nat with (b + b)%nat in * by lia. rewrite power_plus, mult_IZR in *. set (q := IZR (power b)) in *.
  destruct (Z.leb_spec ((u + 1) * power b) low) as [Y|Y]; destruct (Z.geb_spec (u * power b) high) as [N|N];
    split; intros H; try lia.
  - apply IZR_le in Y. rewrite mult_IZR, plus_IZR in Y. fold q in Y.
    apply Rmult_lt_reg_l with (q * q); [nra|]. nra.
  - apply IZR_le in N. rewrite mult_IZR in N. fold q in N. apply Rmult_le_reg_l with (q * q); [nra|]. nra.
Qed.
(* a k that the sampler returns: at any number of bits, from any enclosures, whatever k was tried before *)
Definition accepted (F : nat -> R) (U : R) (k : nat) := exists u b low high, prefix U u b /\
  encloses low high (IZR (power (2 * b)) * F k) /\ (side low high u b > 0)%Z /\
  match k with
  | O => True
  | S j => exists low' high', encloses low' high' (IZR (power (2 * b)) * F j) /\ (side low' high' u b < 0)%Z
  end.
Theorem accepted_least F U k : (forall i j, (i <= j)%nat -> F i <= F j) -> accepted F U k -> least F U k.
Proof.
  intros up (u & b & low & high & P & E & Y & N). apply least_interval; auto. split.
  - destruct k as [|j]; auto. destruct N as (low' & high' & E' & N). apply (side_sound U (F j) low' high' u b); auto.
  - apply (side_sound U (F k) low high u b); auto.
Qed.
Theorem accepted_same F U k k' : (forall i j, (i <= j)%nat -> F i <= F j) ->
  accepted F U k -> accepted F U k' -> k = k'.
Proof. intros up A A'. apply (least_unique F U); apply accepted_least; auto. Qed.

(* ---- equally likely prefixes: floor(2^b x) prove U < x, and at most one decides nothing ---- *)
Definition count (P : nat -> bool) n := length (filter P (seq 0 n)).
Lemma count_below T n : (T <= n)%nat -> count (fun u => (u <? T)%nat) n = T.
Proof.
  intros H. unfold count. replace n with (T + (n - T))%nat by lia. rewrite seq_app, filter_app, app_length.
  assert (A : forall l, (forall u, In u l -> (u < T)%nat) -> filter (fun u => (u <? T)%nat) l = l).
  { induction l; simpl; auto; intros Q. rewrite (proj2 (Nat.ltb_lt a T)) by auto. f_equal; auto. }
  assert (B : forall l, (forall u, In u l -> (T <= u)%nat) -> filter (fun u => (u <? T)%nat) l = []).
  { induction l; simpl; auto; intros Q. rewrite (proj2 (Nat.ltb_ge a T)) by auto. auto. }
  rewrite A, B.
  - rewrite seq_length. simpl. lia.
  - intros u I. apply in_seq in I. lia.
  - intros u I. apply in_seq in I. lia.
Qed.
Section Prefixes.
Variables (n T : nat) (x : R) (below above : nat -> bool).
Hypothesis Hx : 0 <= x <= 1.
Hypothesis HT : INR T <= INR n * x < INR T + 1.       (* T = floor(n x), where n = 2^b *)
Hypothesis Hbelow : forall u, below u = true <-> INR u + 1 <= INR n * x.
Hypothesis Habove : forall u, above u = true <-> INR n * x <= INR u.
Theorem prefixes_below : count below n = T.
Proof.
  assert (TN : (T <= n)%nat) by (apply INR_le; assert (0 <= INR n) by apply pos_INR; nra).
  rewrite <- (count_below T n TN). unfold count. f_equal. apply filter_ext. intros u. apply Bool.eq_true_iff_eq.
  rewrite Hbelow, Nat.ltb_lt, <- S_INR. split; intros H.
  - assert (L : INR (S u) < INR (S T)) by (rewrite (S_INR T); lra). apply INR_lt in L. lia.
  - apply Rle_trans with (INR T); [|lra]. apply le_INR. lia.
Qed.
Theorem prefixes_undecided : (count (fun u => negb (below u || above u)) n <= 1)%nat.
Proof.
  unfold count. assert (I : incl (filter (fun u => negb (below u || above u)) (seq 0 n)) [T]).
  { intros u H. apply filter_In in H. destruct H as (_ & H). apply Bool.negb_true_iff, Bool.orb_false_iff in H.
    destruct H as (A & B). left. destruct (Nat.lt_trichotomy T u) as [K|[K|K]]; auto; exfalso.
    - apply le_INR in K. rewrite S_INR in K.
      assert (above u = true) by (apply Habove; lra). congruence.
    - assert (below u = true).
      { apply Hbelow. rewrite <- S_INR. apply Rle_trans with (INR T); [apply le_INR; lia|lra]. }
      congruence. }
  apply (NoDup_incl_length (NoDup_filter _ (seq_NoDup n 0)) I).
Qed.
End Prefixes.

(* inversion over all integers, instead of magnitudes: U = 0 lies below every F(k) > 0, and none of them is least *)
Theorem zero_draws_nothing (F : Z -> R) : (forall k, 0 < F k) -> ~ exists k, 0 < F k /\ forall j, (j < k)%Z -> F j <= 0.
Proof. intros P (k & _ & B). specialize (B (k - 1)%Z ltac:(lia)). specialize (P (k - 1)%Z). lra. Qed.

(* ---- enclosures of a quotient, rounded outwards: low 2^p // top and -(-high 2^p // bottom) ---- *)
Theorem quotient_enclosed x y low high bottom top p : encloses low high x -> encloses bottom top y ->
  (0 <= low)%Z -> (0 < bottom)%Z ->
  encloses (low * power p / top) (- (- high * power p / bottom)) (IZR (power p) * (x / y)).
Proof.
  intros (X1 & X2) (Y1 & Y2) L B. assert (Q := power_pos p).
  assert (L' := IZR_le _ _ L). assert (B' := IZR_lt _ _ B).
  assert (T : (0 < top)%Z) by (apply lt_IZR; lra). assert (T' := IZR_lt _ _ T).
  split.
  - assert (D := Z.mul_div_le (low * power p) top T). apply IZR_le in D. rewrite !mult_IZR in D.
    set (d := IZR (low * power p / top)) in *.
    apply Rmult_le_reg_r with (IZR top * y). nra.
    replace (IZR (power p) * (x / y) * (IZR top * y)) with (IZR (power p) * x * IZR top) by (field; lra).
    assert (K : IZR top * d * y <= IZR low * IZR (power p) * y) by (apply Rmult_le_compat_r; lra).
    assert (M : IZR low * y <= x * IZR top) by (apply Rmult_le_compat; lra).
    apply Rmult_le_compat_l with (r := IZR (power p)) in M; lra.
  - assert (D := Z.mul_div_le (- high * power p) bottom B). apply IZR_le in D. rewrite !mult_IZR, opp_IZR in D.
    rewrite opp_IZR. set (d := IZR (- high * power p / bottom)) in *.
    assert (H0 : 0 <= IZR high) by lra.
    apply Rmult_le_reg_r with (IZR bottom * y). nra.
    replace (IZR (power p) * (x / y) * (IZR bottom * y)) with (IZR (power p) * x * IZR bottom) by (field; lra).
    assert (K : IZR bottom * d * y <= - IZR high * IZR (power p) * y) by (apply Rmult_le_compat_r; lra).
    assert (M : x * IZR bottom <= IZR high * y) by (apply Rmult_le_compat; lra).
    apply Rmult_le_compat_l with (r := IZR (power p)) in M; lra.
Qed.

(* ---- the two laws that are drawn so ---- *)
Definition magnitude (s : R) (k : nat) : R := 1 - 2 * exp (- s) ^ S k / (1 + exp (- s)).
Section Laws.
Variable s : R.
Hypothesis Hs : 0 < s.
Let a := exp (- s).
Theorem magnitude_cumulative : (forall i j, (i <= j)%nat -> magnitude s i <= magnitude s j) /\
  (forall e, 0 < e -> exists k, 1 - e < magnitude s k).
Proof.
  assert (A := decay_range s Hs). fold a in A. unfold magnitude. fold a.
  assert (Q : 0 < / (1 + a) < 1).
  { split. apply Rinv_0_lt_compat; lra. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  split.
  - intros i j H. assert (P : a ^ S j <= a ^ S i).
    { replace (S j) with (S i + (j - i))%nat by lia. rewrite pow_add. assert (0 < a ^ S i) by (apply pow_lt; lra).
      assert (R : a ^ (j - i) <= 1 ^ (j - i)) by (apply pow_incr; lra). rewrite pow1 in R. nra. }
    unfold Rdiv. nra.
  - intros e He. destruct (pow_lt_1_zero a ltac:(rewrite Rabs_right; lra) (e / 2) ltac:(lra)) as (n & K).
    exists n. specialize (K (S n) ltac:(lia)). assert (P : 0 < a ^ S n) by (apply pow_lt; lra).
    rewrite Rabs_right in K by lra. unfold Rdiv. nra.
Qed.
(* a fair sign on the magnitude; zero has no sign *)
Theorem laplace_by_inversion : laplace s 0 = magnitude s 0 /\ forall k,
  laplace s (Z.of_nat (S k)) = (magnitude s (S k) - magnitude s k) / 2 /\
  laplace s (- Z.of_nat (S k)) = (magnitude s (S k) - magnitude s k) / 2.
Proof.
  assert (A := decay_range s Hs). fold a in A. unfold laplace, magnitude. fold a. split.
  - simpl (Z.abs 0). rewrite Rmult_0_r, Ropp_0, exp_0. simpl. field. lra.
  - intros k. rewrite Z.abs_opp, Z.abs_eq, (decay_pow s) by lia. fold a. simpl. split; field; lra.
Qed.
End Laws.

(* share k: the part of the first k + 1 atoms of U in the total weight *)
Definition share (eta : R) (q : nat -> R) (U : list nat) (k : nat) : R :=
  lsum (firstn (S k) U) (weight eta q) / lsum U (weight eta q).
Theorem chance_by_inversion eta q U k : NoDup U -> (k < length U)%nat ->
  chance eta q U (nth k U 0%nat) = share eta q U k - match k with O => 0 | S j => share eta q U j end.
Proof.
  intros N H. assert (I := nth_In U 0%nat H). unfold chance, share.
  destruct (in_dec Nat.eq_dec (nth k U 0%nat) U) as [_|]; [|contradiction].
  assert (P := total_pos eta q U _ I).
  assert (E : forall V j, (j < length V)%nat ->
    lsum (firstn (S j) V) (weight eta q) = lsum (firstn j V) (weight eta q) + weight eta q (nth j V 0%nat)).
  { induction V as [|v V IH]; intros j J; simpl in J; [lia|]. destruct j as [|j]; [simpl; lra|].
    cbn [firstn lsum fold_right nth]. specialize (IH j ltac:(lia)). cbn [firstn lsum] in IH. unfold lsum in *. lra. }
  rewrite (E U k H). destruct k as [|k]; [simpl|]; field; lra.
Qed.
Theorem share_all eta q U : U <> [] -> share eta q U (pred (length U)) = 1.
Proof.
  intros N. unfold share. destruct U as [|u U]; [congruence|]. cbn [length pred]. rewrite firstn_all2 by (simpl; lia).
  assert (P := total_pos eta q (u :: U) u (or_introl eq_refl)). field. lra.
Qed.
(* scores may enter as their distance to the largest *)
Theorem chance_shift eta q c U a : chance eta (fun j => q j - c) U a = chance eta q U a.
Proof.
  unfold chance. destruct (in_dec Nat.eq_dec a U) as [I|]; auto. assert (P := total_pos eta q U a I).
  assert (E : forall j, weight eta (fun j => q j - c) j = exp (- (eta * c)) * weight eta q j)
    by (intros j; unfold weight; rewrite <- exp_plus; f_equal; ring).
  rewrite (lsum_ext U _ _ (fun j _ => E j)), lsum_scal, E. assert (X := exp_pos (- (eta * c))). field. lra.
Qed.
