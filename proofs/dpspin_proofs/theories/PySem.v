(* What the translation means by Python's built-in functions.  Small on purpose: this file is trusted.

   py_sum py_len py_range py_zip py_enumerate py_in py_all py_any py_min py_max   functions of sequences
   py_item py_index py_upto py_from                                              items and one-sided slices
   py_sorted py_set                                                              the stable sort, also of a set *)
From Coq Require Import ZArith List Bool.
Import ListNotations.
Open Scope Z_scope.

Definition py_sum (l : list Z) : Z := fold_right Z.add 0 l.
Definition py_len {A} (l : list A) : Z := Z.of_nat (length l).
Definition py_range (n : Z) : list Z := map Z.of_nat (seq 0 (Z.to_nat n)). (* empty for n <= 0 *)
Definition py_zip {A B} (a : list A) (b : list B) : list (A * B) := combine a b.
Definition py_enumerate {A} (l : list A) : list (Z * A) := combine (py_range (py_len l)) l.
Definition py_in (x : Z) (l : list Z) : bool := existsb (Z.eqb x) l.
Definition py_all (l : list bool) : bool := forallb (fun b => b) l.
Definition py_any (l : list bool) : bool := existsb (fun b => b) l.
Definition py_min (l : list Z) : Z := match l with [] => 0 | x :: t => fold_right Z.min x t end.
Definition py_max (l : list Z) : Z := match l with [] => 0 | x :: t => fold_right Z.max x t end.

(* l[i], l[:n], l[n:]: a negative position counts from the end; py_item reads an item out of range as d *)
Definition py_end {A} (l : list A) (i : Z) : Z := if i <? 0 then i + py_len l else i.
Definition py_item {A} (d : A) (l : list A) (i : Z) : A := nth (Z.to_nat (py_end l i)) l d.
Definition py_index (l : list Z) (i : Z) : Z := py_item 0 l i.
Definition py_index_safe {A} (l : list A) (i : Z) : bool := (- py_len l <=? i) && (i <? py_len l).
Definition py_upto {A} (l : list A) (n : Z) : list A := firstn (Z.to_nat (py_end l n)) l.
Definition py_from {A} (l : list A) (n : Z) : list A := skipn (Z.to_nat (py_end l n)) l.

(* sorted(l, key=k): the stable sort by k, keys compared as Python compares tuples *)
Fixpoint py_le (a b : list Z) : bool :=
  match a, b with
  | [], _ => true
  | _ :: _, [] => false
  | x :: a', y :: b' => (x <? y) || ((x =? y) && py_le a' b')
  end.
Fixpoint insert {A} (k : A -> list Z) (x : A) (l : list A) : list A :=
  match l with [] => [x] | y :: t => if py_le (k x) (k y) then x :: l else y :: insert k x t end.
Definition py_sorted {A} (k : A -> list Z) (l : list A) : list A := fold_right (insert k) [] l.
Definition py_set (l : list Z) : list Z := nodup Z.eq_dec l. (* only inside py_sorted, which hides its order *)
