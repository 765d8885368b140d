(* Theorem 5.8: everything after the plan costs nothing more.

   transcript_close                 any draft, verdict, feedback and choice of words that depends on the plan alone
   loop                             the bounded loop of writer, verifier and feedback, with its fallback
   loop_stops loop_agrees           at most R_max attempts; what is returned was accepted, or is the fallback
   loop_indistinct loop_nearly      plan, drafts, verdicts, feedback and summary together cost what the plan costs *)
From Coq Require Import Reals Lra Lia List.
From DPSPIN Require Import Probability Approximate.
Import ListNotations.
Open Scope R_scope.

(* the writer's randomness may even depend on the plan: k a is its law after plan a *)
Theorem transcript_close {A W Y} (same : forall a b : A, {a = b} + {a <> b}) eps (p p' : A -> R) (k : A -> W -> R)
  (f : A * W -> Y) : (forall a, law (k a)) -> close eps p p' -> indistinct eps f (joint p k) (joint p' k).
Proof. intros K C. apply close_events, close_joint; auto. Qed.

Section Loop.
Context {Plan Draft Verdict Feedback : Type}.
Record attempt := Attempt { draft : Draft; verdict : Verdict; feedback : Feedback }.
(* W: what the writer draws, once for all attempts, independently of the plan *)
Context {W : Type}.
Variables (write : Plan -> list attempt -> W -> Draft) (judge : Plan -> Draft -> Verdict)
  (accepts : Verdict -> bool) (explain : Plan -> Verdict -> Feedback) (fallback : Plan -> Draft).
Fixpoint loop (n : nat) (P : Plan) (w : W) (before : list attempt) : list attempt * Draft :=
  match n with
  | O => (before, fallback P)
  | S k =>
    let y := write P before w in
    let v := judge P y in
    let now := before ++ [Attempt y v (explain P v)] in
    if accepts v then (now, y) else loop k P w now
  end.
Theorem loop_stops n P w before : (length (fst (loop n P w before)) <= length before + n)%nat.
Proof.
  revert before. induction n as [|n IH]; intros before; cbn [loop]. simpl. lia.
  destruct (accepts _); [cbn [fst]; rewrite app_length; simpl; lia|].
  eapply Nat.le_trans. apply IH. rewrite app_length. simpl. lia.
Qed.
Theorem loop_agrees n P w before : let y := snd (loop n P w before) in
  y = fallback P \/ accepts (judge P y) = true.
Proof.
  revert before. induction n as [|n IH]; intros before; cbn [loop]; [left; reflexivity|].
  destruct (accepts _) eqn:E; [right; exact E|apply IH].
Qed.
Theorem loop_indistinct {A} (same : forall a b : A, {a = b} + {a <> b}) eps (p p' : A -> R) (q : W -> R)
  (plan_of : A -> Plan) n : law q -> close eps p p' ->
  indistinct eps (fun o => (plan_of (fst o), loop n (plan_of (fst o)) (snd o) []))
    (joint p (fun _ => q)) (joint p' (fun _ => q)).
Proof. intros Q C. apply transcript_close; auto. Qed.
Theorem loop_nearly {A} (same : forall a b : A, {a = b} + {a <> b}) eps delta (p p' : A -> R) (q : W -> R)
  (plan_of : A -> Plan) n : law q -> nearly eps delta p p' ->
  nearly_indistinct eps delta (fun o => (plan_of (fst o), loop n (plan_of (fst o)) (snd o) []))
    (joint p (fun _ => q)) (joint p' (fun _ => q)).
Proof. intros Q C. apply nearly_events, nearly_joint; auto. Qed.
End Loop.
