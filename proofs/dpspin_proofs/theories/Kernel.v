(* Written by dpspin_proofs.translate from kernel.py, SHA-256
   fcd85e6d297b937fe0089ac11f311e2a4ff0652430303c36b06e668a229b6a41.  Do not edit. *)
From Coq Require Import ZArith List Bool.
From DPSPIN Require Import PySem.
Import ListNotations.
Open Scope Z_scope.

Definition MENTION : Z := 1.
Definition MASS : Z := 2.
Definition SUPPORT : Z := 3.
Definition BIN : Z := 4.
Definition COMPARISON : Z := 5.
Definition SIMILARITY : Z := 6.
Definition RANK : Z := 7.
Definition COUNT : Z := 8.

Definition highest (values_ : (list Z)) (count_ : Z) : (list Z) :=
  let order_ := (py_sorted (fun position_ => [(Z.opp (py_index values_ position_)); position_]) (py_range (py_len
    values_))) in
  (py_upto order_ count_).
Definition highest_safe (values_ : (list Z)) (count_ : Z) : bool :=
  forallb (fun position_ => py_index_safe values_ position_) (py_range (py_len values_)).

Definition shrink (vector_ : (list Z)) (bound_ : Z) : (list Z) :=
  let total_ := (py_sum vector_) in
  (map (fun value_ => ((value_ * bound_) / (Z.max total_ 1))) vector_).
Definition shrink_safe (vector_ : (list Z)) (bound_ : Z) : bool :=
  (let total_ := (py_sum vector_) in forallb (fun value_ => negb ((Z.max total_ 1) =? 0)) vector_).

Definition contribution (scores_ : (list Z)) (max_atoms_ : Z) (unit_ : Z) : (list Z) :=
  let kept_ := (highest scores_ max_atoms_) in
  let weights_ := (map (fun '(atom_, score_) => (if (py_in atom_ kept_) then (Z.max score_ 0) else 0)) (py_enumerate
    scores_)) in
  (shrink weights_ unit_).
Definition contribution_safe (scores_ : (list Z)) (max_atoms_ : Z) (unit_ : Z) : bool :=
  ((highest_safe scores_ max_atoms_) && (let kept_ := (highest scores_ max_atoms_) in (let weights_ := (map (fun
    '(atom_, score_) => (if (py_in atom_ kept_) then (Z.max score_ 0) else 0)) (py_enumerate scores_)) in (shrink_safe
    weights_ unit_)))).

Definition clip (vector_ : (list Z)) (bound_ : Z) : (list Z) :=
  let positive_ := (map (fun value_ => (Z.max value_ 0)) vector_) in
  if ((py_sum positive_) <=? bound_) then positive_
  else (shrink positive_ bound_).
Definition clip_safe (vector_ : (list Z)) (bound_ : Z) : bool :=
  (let positive_ := (map (fun value_ => (Z.max value_ 0)) vector_) in (if ((py_sum positive_) <=? bound_) then true else
    (shrink_safe positive_ bound_))).

Definition add (vectors_ : (list (list Z))) (width_ : Z) : (list Z) :=
  (map (fun atom_ => (py_sum (map (fun vector_ => (py_index vector_ atom_)) vectors_))) (py_range width_)).
Definition add_safe (vectors_ : (list (list Z))) (width_ : Z) : bool :=
  forallb (fun atom_ => forallb (fun vector_ => py_index_safe vector_ atom_) vectors_) (py_range width_).

Definition sketch (units_ : (list (list Z))) (bound_ : Z) (width_ : Z) : (list Z) :=
  (add (map (fun unit_ => (clip unit_ bound_)) units_) width_).
Definition sketch_safe (units_ : (list (list Z))) (bound_ : Z) (width_ : Z) : bool :=
  (forallb (fun unit_ => (clip_safe unit_ bound_)) units_ && (add_safe (map (fun unit_ => (clip unit_ bound_)) units_)
    width_)).

Definition absorb (total_ : (list Z)) (unit_ : (list Z)) (bound_ : Z) : (list Z) :=
  (add [total_; (clip unit_ bound_)] (py_len total_)).
Definition absorb_safe (total_ : (list Z)) (unit_ : (list Z)) (bound_ : Z) : bool :=
  ((clip_safe unit_ bound_) && (add_safe [total_; (clip unit_ bound_)] (py_len total_))).

Definition total_of (user_ : Z) (records_ : (list (Z * (list Z))%type)) (width_ : Z) : (list Z) :=
  (add (map (fun '(owner_, vector_) => vector_) (filter (fun '(owner_, vector_) => (owner_ =? user_)) records_))
    width_).
Definition total_of_safe (user_ : Z) (records_ : (list (Z * (list Z))%type)) (width_ : Z) : bool :=
  (add_safe (map (fun '(owner_, vector_) => vector_) (filter (fun '(owner_, vector_) => (owner_ =? user_)) records_))
    width_).

Definition group_by_user (records_ : (list (Z * (list Z))%type)) (width_ : Z) : (list (list Z)) :=
  let users_ := (py_sorted (fun x => [x]) (py_set (map (fun '(owner_, vector_) => owner_) records_))) in
  (map (fun user_ => (total_of user_ records_ width_)) users_).
Definition group_by_user_safe (records_ : (list (Z * (list Z))%type)) (width_ : Z) : bool :=
  (let users_ := (py_sorted (fun x => [x]) (py_set (map (fun '(owner_, vector_) => owner_) records_))) in forallb (fun
    user_ => (total_of_safe user_ records_ width_)) users_).

Definition user_sketch (records_ : (list (Z * (list Z))%type)) (bound_ : Z) (width_ : Z) : (list Z) :=
  (sketch (group_by_user records_ width_) bound_ width_).
Definition user_sketch_safe (records_ : (list (Z * (list Z))%type)) (bound_ : Z) (width_ : Z) : bool :=
  ((group_by_user_safe records_ width_) && (sketch_safe (group_by_user records_ width_) bound_ width_)).

Definition mass_of (plan_ : (list (Z * Z)%type)) (atom_ : Z) : Z :=
  (py_sum (map (fun '(name_, mass_) => mass_) (filter (fun '(name_, mass_) => (name_ =? atom_)) plan_))).
Definition mass_of_safe (plan_ : (list (Z * Z)%type)) (atom_ : Z) : bool :=
  true.

Definition is_admitted (plan_ : (list (Z * Z)%type)) (atom_ : Z) : bool :=
  ((py_len (map (fun '(name_, mass_) => name_) (filter (fun '(name_, mass_) => (name_ =? atom_)) plan_))) =? 1).
Definition is_admitted_safe (plan_ : (list (Z * Z)%type)) (atom_ : Z) : bool :=
  true.

Definition compare (left_ : Z) (right_ : Z) (margin_ : Z) : Z :=
  if ((left_ - right_) >=? (Z.max margin_ 1)) then 1
  else if ((right_ - left_) >=? (Z.max margin_ 1)) then (Z.opp 1)
  else 0.
Definition compare_safe (left_ : Z) (right_ : Z) (margin_ : Z) : bool :=
  true.

Definition rounded (numerator_ : Z) (denominator_ : Z) (scale_ : Z) : Z :=
  let twice_ := (((2 * numerator_) * scale_) + denominator_) in
  let floor_ := (twice_ / (2 * denominator_)) in
  if (((twice_ mod (2 * denominator_)) =? 0) && ((floor_ mod 2) =? 1)) then (floor_ - 1)
  else floor_.
Definition rounded_safe (numerator_ : Z) (denominator_ : Z) (scale_ : Z) : bool :=
  (let twice_ := (((2 * numerator_) * scale_) + denominator_) in (negb ((2 * denominator_) =? 0) && (let floor_ :=
    (twice_ / (2 * denominator_)) in (negb ((2 * denominator_) =? 0) && (if ((twice_ mod (2 * denominator_)) =? 0) then
    negb (2 =? 0) else true))))).

Definition support_bin (mass_ : Z) (floor_ : Z) (denominator_ : Z) (cuts_ : (list Z)) (scale_ : Z) : Z :=
  if (mass_ <=? floor_) then 0
  else (1 + (py_len (map (fun cut_ => cut_) (filter (fun cut_ => ((cut_ * denominator_) <=? (mass_ * scale_)))
    cuts_)))).
Definition support_bin_safe (mass_ : Z) (floor_ : Z) (denominator_ : Z) (cuts_ : (list Z)) (scale_ : Z) : bool :=
  true.

Definition rank_of (plan_ : (list (Z * Z)%type)) (atom_ : Z) : Z :=
  let own_ := (mass_of plan_ atom_) in
  let ahead_ := (map (fun '(name_, mass_) => name_) (filter (fun '(name_, mass_) => ((mass_ >? own_) || ((mass_ =? own_)
    && (name_ <? atom_)))) plan_)) in
  (1 + (py_len ahead_)).
Definition rank_of_safe (plan_ : (list (Z * Z)%type)) (atom_ : Z) : bool :=
  (mass_of_safe plan_ atom_).

Definition claim_supported (plan_ : (list (Z * Z)%type)) (claim_ : (Z * Z * Z * Z)%type) (unit_ : Z) (margin_ : Z)
    (floor_ : Z) (denominator_ : Z) (cuts_ : (list Z)) (scale_ : Z) : bool :=
  let '(kind_, atom_, other_, value_) := claim_ in
  if (kind_ =? COUNT) then let bins_ := (map (fun '(name_, mass_) => (support_bin mass_ floor_ denominator_ cuts_
    scale_)) plan_) in
  (value_ =? (py_len (map (fun bin__ => bin__) (filter (fun bin__ => ((other_ =? (Z.opp 1)) || (bin__ =? other_)))
    bins_))))
  else if (negb (is_admitted plan_ atom_)) then false
  else let own_ := (mass_of plan_ atom_) in
  if (kind_ =? MENTION) then true
  else if (kind_ =? MASS) then (value_ =? (rounded own_ unit_ other_))
  else if (kind_ =? SUPPORT) then (value_ =? (rounded (Z.max own_ 0) denominator_ other_))
  else if (kind_ =? BIN) then (value_ =? (support_bin own_ floor_ denominator_ cuts_ scale_))
  else if (kind_ =? RANK) then (value_ =? (rank_of plan_ atom_))
  else if ((kind_ =? COMPARISON) && (is_admitted plan_ other_)) then ((compare own_ (mass_of plan_ other_) margin_) =?
    1)
  else if ((kind_ =? SIMILARITY) && (is_admitted plan_ other_)) then ((Z.abs (own_ - (mass_of plan_ other_))) <?
    margin_)
  else false.
Definition claim_supported_safe (plan_ : (list (Z * Z)%type)) (claim_ : (Z * Z * Z * Z)%type) (unit_ : Z) (margin_ : Z)
    (floor_ : Z) (denominator_ : Z) (cuts_ : (list Z)) (scale_ : Z) : bool :=
  (let '(kind_, atom_, other_, value_) := claim_ in (if (kind_ =? COUNT) then forallb (fun '(name_, mass_) =>
    (support_bin_safe mass_ floor_ denominator_ cuts_ scale_)) plan_ else ((is_admitted_safe plan_ atom_) && (if (negb
    (is_admitted plan_ atom_)) then true else ((mass_of_safe plan_ atom_) && (let own_ := (mass_of plan_ atom_) in (if
    (kind_ =? MENTION) then true else (if (kind_ =? MASS) then (rounded_safe own_ unit_ other_) else (if (kind_ =?
    SUPPORT) then (rounded_safe (Z.max own_ 0) denominator_ other_) else (if (kind_ =? BIN) then (support_bin_safe own_
    floor_ denominator_ cuts_ scale_) else (if (kind_ =? RANK) then (rank_of_safe plan_ atom_) else ((if (kind_ =?
    COMPARISON) then (is_admitted_safe plan_ other_) else true) && (if ((kind_ =? COMPARISON) && (is_admitted plan_
    other_)) then ((mass_of_safe plan_ other_) && (compare_safe own_ (mass_of plan_ other_) margin_)) else ((if (kind_
    =? SIMILARITY) then (is_admitted_safe plan_ other_) else true) && (if ((kind_ =? SIMILARITY) && (is_admitted plan_
    other_)) then (mass_of_safe plan_ other_) else true))))))))))))))).
