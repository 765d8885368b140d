(* The exact sketch of users: all records of one user are one unit, for all inputs.

   owner owned_by not_owned_by                   who owns a record
   group_perm group_add                          one total per user, whatever the order of records
   total_first total_next                        a user's total, one record at a time
   user_sketch_*                                 add/remove and replacement of one user with all records
   user_add_remove user_replace                  the two relations, in norms
   user_sketch_never_raises                      vectors of at least `width` entries make no call raise *)
From Coq Require Import ZArith List Bool Lia Permutation.
From DPSPIN Require Import PySem Vectors PyFacts Kernel Records Sketch.
Import ListNotations.
Open Scope Z_scope.

Notation record := (Z * list Z)%type.
Definition owner (r : record) : Z := fst r.
Definition owned_by (u : Z) (X : list record) := Forall (fun r => owner r = u) X.
Definition not_owned_by (u : Z) (E : list record) := Forall (fun r => owner r <> u) E.
Lemma owners_eq (D : list record) : map (fun '(o, _) => o) D = map owner D.
Proof. apply map_ext. intros (o & v); auto. Qed.
Lemma filter_eq u (D : list record) : filter (fun '(o, _) => o =? u) D = filter (fun r => owner r =? u) D.
Proof. apply filter_ext. intros (o & v); auto. Qed.
Lemma total_perm u D D' w : Permutation D D' -> total_of u D w = total_of u D' w.
Proof. intros P. unfold total_of. apply add_perm, Permutation_map, perm_filter; auto. Qed.
Lemma filter_none u E : not_owned_by u E -> filter (fun r => owner r =? u) E = [].
Proof. induction 1; simpl; auto. destruct (Z.eqb_spec (owner x) u); auto; contradiction. Qed.
Lemma total_other u v E X w : owned_by u X -> v <> u -> total_of v (E ++ X) w = total_of v E w.
Proof.
  intros O N. unfold total_of. rewrite !filter_eq. f_equal. f_equal. rewrite filter_app. rewrite (filter_none v X),
    app_nil_r; auto.
  unfold not_owned_by, owned_by in *. rewrite Forall_forall in *. intros r I. rewrite (O r I); auto.
Qed.
Lemma total_self u E X w : owned_by u X -> not_owned_by u E -> total_of u (E ++ X) w = total_of u X w.
Proof. intros O N. unfold total_of. rewrite !filter_eq, filter_app, (filter_none u E) by auto. reflexivity. Qed.

Definition users (D : list record) := py_sorted (fun x => [x]) (py_set (map owner D)).
Lemma group_eq D w : group_by_user D w = map (fun u => total_of u D w) (users D).
Proof. unfold group_by_user, users. rewrite owners_eq. reflexivity. Qed.
Lemma users_in D u : In u (users D) <-> In u (map owner D).
Proof. unfold users, py_set. rewrite <- (nodup_In Z.eq_dec (map owner D)). split; intros I.
  eapply Permutation_in; [apply Permutation_sym, sorted_perm|exact I]. eapply Permutation_in; [apply sorted_perm|exact
    I]. Qed.
Lemma users_nodup D : NoDup (users D).
Proof. unfold users. eapply Permutation_NoDup; [apply sorted_perm|apply NoDup_nodup]. Qed.

Theorem group_perm D D' w : Permutation D D' -> Permutation (group_by_user D w) (group_by_user D' w).
Proof.
  intros P. rewrite !group_eq. rewrite (map_ext (fun u => total_of u D w) (fun u => total_of u D' w)).
  - apply Permutation_map, NoDup_Permutation; auto using users_nodup.
    intros u. rewrite !users_in. split; apply Permutation_in; apply Permutation_map; auto using Permutation_sym.
  - intros u. apply total_perm; auto.
Qed.
(* all of one user's records, however many, are exactly one protected unit *)
Theorem group_add u E X D w : X <> [] -> owned_by u X -> not_owned_by u E -> Permutation D (E ++ X) ->
  Permutation (group_by_user D w) (total_of u X w :: group_by_user E w).
Proof.
  intros NX O N P. eapply perm_trans; [apply group_perm, P|]. rewrite !group_eq.
  assert (NE : forall v, In v (map owner E) -> v <> u).
  { intros v I. apply in_map_iff in I. destruct I as (r & <- & I). unfold not_owned_by in N. rewrite Forall_forall in N.
    auto. }
  assert (Q : Permutation (users (E ++ X)) (u :: users E)).
  { apply NoDup_Permutation; [apply users_nodup| |].
    - constructor. 2: apply users_nodup. rewrite users_in. intros I; apply (NE u I); auto.
    - intros v. simpl. rewrite !users_in, map_app, in_app_iff. split.
      + intros [I|I]; auto. left. apply in_map_iff in I. destruct I as (r & <- & I).
        unfold owned_by in O. rewrite Forall_forall in O. symmetry; apply O; auto.
      + intros [<-|I]; auto. right. destruct X as [|r X]; [contradiction|]. inversion O; subst. left; auto. }
  eapply perm_trans; [apply Permutation_map, Q|]. cbn [map]. rewrite total_self by auto.
  apply perm_skip. rewrite (map_ext_in _ (fun v => total_of v E w)); auto.
  intros v I. apply (total_other u); auto. apply NE, users_in; auto.
Qed.

Theorem user_sketch_perm b w D D' : Permutation D D' -> forall j, coord (user_sketch D b w) j = coord (user_sketch D' b
  w) j.
Proof. intros P. apply sketch_perm, group_perm, P. Qed.

(* add or remove one user: D' is D plus any number of records of a user who owns nothing in D *)
Theorem user_sketch_add b w u X D D' : 0 <= b -> owned_by u X -> not_owned_by u D -> Permutation D' (D ++ X) ->
  gains b w (user_sketch D b w) (user_sketch D' b w).
Proof.
  intros Hb O N P. destruct X as [|r X].
  - rewrite app_nil_r in P. exists (fun _ => 0). split.
    + intros m. split. intros; lia. unfold zl1. assert (Z0 : msum m (fun _ => Z.abs 0) = 0) by (induction m; simpl in *;
      lia). rewrite Z0; auto.
    + intros j. rewrite (user_sketch_perm b w _ _ P j). lia.
  - apply (sketch_add_unit b w (total_of u (r :: X) w)); auto. apply group_add; auto. discriminate.
Qed.
(* replace one user's records by any records of the same user or of a user not otherwise present *)
Theorem user_sketch_replace b w u u' X Y E D D' : 0 <= b ->
  owned_by u X -> not_owned_by u E -> owned_by u' Y -> not_owned_by u' E ->
  Permutation D (E ++ X) -> Permutation D' (E ++ Y) ->
  swaps b w (user_sketch D b w) (user_sketch D' b w).
Proof.
  intros Hb O N O' N' P P'.
  destruct (user_sketch_add b w u X E D Hb O N P) as (f & Pf & Ef).
  destruct (user_sketch_add b w u' Y E D' Hb O' N' P') as (g & Pg & Eg).
  exists f, g. split; [|split]; auto. intros j. rewrite Ef, Eg. lia.
Qed.

(* a user's total, one record at a time *)
Theorem total_first v w : py_len v = w -> add [v] w = v.
Proof.
  intros <-. apply nth_ext with (d := 0) (d' := 0).
  - unfold add. rewrite map_length, range_length. unfold py_len. lia.
  - intros n H. change (coord (add [v] (py_len v)) n = coord v n). rewrite add_coord. unfold below, zsketch; simpl.
    unfold add in H. rewrite map_length, range_length in H. destruct (Nat.ltb_spec n (Z.to_nat (py_len v))); lia.
Qed.
Theorem total_next u v D w : add [total_of u D w; v] w = total_of u (D ++ [(u, v)]) w.
Proof.
  unfold total_of. rewrite filter_app. cbn [filter]. rewrite Z.eqb_refl, map_app. cbn [map].
  unfold add at 1. apply map_ext_in. intros a I. apply range_in in I. cbn [map]. rewrite add_index by auto.
  rewrite map_app, sum_app. unfold py_sum; cbn [map fold_right]. lia.
Qed.

Theorem user_add_remove b w u X D D' : 0 <= b -> owned_by u X -> not_owned_by u D -> Permutation D' (D ++ X) ->
  moves_up b (user_sketch D b w) (user_sketch D' b w).
Proof. intros Hb O N P m. apply (gains_bounds b w); auto. eapply user_sketch_add; eauto. Qed.
Theorem user_replace b w u u' X Y E D D' : 0 <= b ->
  owned_by u X -> not_owned_by u E -> owned_by u' Y -> not_owned_by u' E ->
  Permutation D (E ++ X) -> Permutation D' (E ++ Y) -> moves b (user_sketch D b w) (user_sketch D' b w).
Proof. intros Hb O N O' N' P P' m. apply (swaps_bounds b w); auto. apply (user_sketch_replace b w u u' X Y E D D');
  auto. Qed.

Theorem user_sketch_never_raises D b w : Forall (fun r : record => w <= py_len (snd r)) D -> user_sketch_safe D b w =
  true.
Proof.
  intros F. unfold user_sketch_safe. apply andb_true_iff; split.
  - unfold group_by_user_safe. apply forallb_forall. intros u _. unfold total_of_safe. apply add_safe_ok.
    rewrite Forall_forall in *. intros v I. apply in_map_iff in I. destruct I as ((o & x) & <- & I).
    apply filter_In in I. apply (F (o, x)). tauto.
  - apply sketch_never_raises. rewrite group_eq. apply Forall_forall. intros v I. apply in_map_iff in I.
    destruct I as (u & <- & _). unfold total_of. rewrite add_length. lia.
Qed.
