"""The texts of which a deployment's theorems are made (`dpspin_proofs.instantiate`): statements, and their proofs."""

SENSITIVITY = """\
(* Written by dpspin_proofs.instantiate for the deployment of SHA-256
   {digest} and its {atoms} atoms.  Do not edit.

   atoms bound               m, and B in lattice units
   deployment_sensitivity    what one {unit} can change in the sketch{listed} *)
From Coq Require Import Reals Lra ZArith List Lia Permutation.
From DPSPIN Require Import Vectors Kernel Sketch Users Neighbours Probability Laplace Peeling SparseRelease.
{also}Import ListNotations.
Open Scope Z_scope.

Definition atoms : Z := {atoms}.
Definition bound : Z := {bound}.

Theorem deployment_sensitivity {variables} :
  {neighbours} ->
  let d := diff ({sketch} D bound atoms) ({sketch} D' bound atoms) in
  (forall j, (j < Z.to_nat atoms)%nat -> {moved} <= {coordinate}) /\\
  zl1 (Z.to_nat atoms) d <= {l1} /\\ zl2sq (Z.to_nat atoms) d <= {l2}.
Proof.
  intros {given} d. assert (B : 0 <= bound) by easy.
  destruct ({lemma} bound atoms {variables} B {given} (Z.to_nat atoms)) as (C & L & S).
  fold d in C, L, S. unfold bound in C, L, S.{single}
  split; [intros j J; specialize (C j J); lia|split; nia].
Qed.
"""
SINGLE = """
  assert (F := C 0%nat ltac:(cbv; lia)). change (zl1 _ d) with (Z.abs (d 0%nat)).
  change (zl2sq _ d) with (d 0%nat * d 0%nat)."""
LISTED = """
   rate, variance, exponent  of the noise and of admission, for one lattice unit
   deployment_plan           what the released plan costs"""
ALSO_LISTED = """
   deployment_plan_proved    what it costs at most, on no premise"""
DEFINED = """
Open Scope R_scope.
{defined}"""
PLAN = """
(* {says} *)
Theorem {name} {{Y}} (f : list (Z * Z) -> Y) D D' :{premise}
  {unit}_adjacent {relation} D D' ->
  {indistinct} (fun released => f ({plan} released))
    ({law} D{close})
    ({law} D'{close}).
Proof.
  {proof}
Qed.
"""
GAUSSIAN_ALSO = "From DPSPIN Require Import Noise Approximate Bell Gaussian.\n"
PREMISE = """
  covers variance (Z.to_nat {noisy}) {squares} ({spent}) ({delta}) ->"""
LAPLACE = """\
intros A. apply laplace_plan, (close_weaken (rate * IZR (l1_bound {relation} bound atoms))).
  - change (l1_bound {relation} bound atoms) with {shift}%Z. unfold rate. lra.
  - apply laplace_{unit}; [easy|unfold rate; lra|exact A]."""
TOP_L = """\
intros A. apply top_l_plan.
  apply (close_weaken (joint_cost {relation} (Z.to_nat {rounds}) (exponent * IZR bound) (rate * IZR bound))).
  - unfold joint_cost, exponent, rate, bound. rewrite INR_IZR_INZ, Z2Nat.id by easy.
    destruct (Nat.eq_dec (Z.to_nat {rounds}) 1) as [E|E]; [try discriminate|try contradiction (E eq_refl)];
      unfold Rmax; repeat destruct Rle_dec; lra.
  - apply release_{unit}; [easy|apply Z2Nat.inj_le; easy|unfold exponent; lra|unfold rate; lra|exact A]."""
ALL_ADMITTED = """\
intros A. replace ({epsilon}) with (rate * IZR (l1_bound {relation} bound atoms)).
  - apply all_admitted_{unit}; [easy|unfold rate; lra|exact A].
  - change (l1_bound {relation} bound atoms) with {shift}%Z. unfold rate. lra."""
ASSUMED = "intros known A."
COVERED = """\
intros A. assert (known : covers variance (Z.to_nat {noisy}) {squares} ({spent}) ({delta})) by
    (apply rational_covers with (c := {loss})
      (k := Z.to_nat {order}) (n := Z.to_nat {parts}) (p := {top}%Z) (q := {bottom}%Z);
     [unfold variance; lra|apply (Z2Nat.inj_le 1); easy|apply (Z2Nat.inj_le 1); easy|easy|easy|easy
     |unfold variance; lra|rewrite INR_IZR_INZ, Z2Nat.id by easy; lra|vm_compute; discriminate]).
 """
GAUSSIAN = """\
{known} apply nearly_events, (gaussian_{unit} variance) with (r := {relation}); [easy|exact known|exact A]."""
ALL_GAUSSIAN = """\
{known} apply (all_gaussian_{unit} variance) with (r := {relation});
    [unfold variance; lra|easy|exact known|exact A]."""
TOP_L_GAUSSIAN = """\
{known} apply nearly_events.
  apply (nearly_weaken (selection_cost {relation} (Z.to_nat {noisy}) (exponent * IZR bound) + {spent}) ({delta})).
  - unfold selection_cost, exponent, bound. rewrite INR_IZR_INZ, Z2Nat.id by easy. lra.
  - lra.
  - apply top_l_gaussian_{unit}; [unfold variance; lra|easy| |unfold exponent; lra|lra|exact known|exact A].
    split; [apply (Z2Nat.inj_le 1)|apply Z2Nat.inj_le]; easy."""
