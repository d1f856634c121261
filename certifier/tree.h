/* Follows a tree of executions (tree_file.h) and believes nothing of it: a reduced search left out executions, and it is to be seen that
 * each of those differs from one that is there only in the order of independent steps.
 *
 * Words. Two steps are in *conflict* when the types of their objects, or dependence.h, say that their order may matter; else they are
 * independent. Two executions are equivalent when one becomes the other by exchanging neighbours that are independent. w is a *beginning* of u
 * when u is equivalent to some execution that begins with w. An *initial* of w is a process whose first step in w can be brought to
 * its front; a *bystander* of w is one that has no step in w and whose next step is in conflict with none of it. A state of the tree is
 * named by the path E that leads there; its children are the processes told there, each with all of its results, in their order.
 *
 * Sleep. What sleeps in E and, of the children of E, all before p: those of them sleep in the state behind p whose next step is
 * independent of p's. Nothing is told of this; it follows from the order.
 *
 * Races. On an execution that goes from E on by p and then u: a step e of u, or one that was never taken, is in a *race* with p when the two are
 * in conflict, and e could go from E on after D, which is all of u that does not depend on p (the reversal is D and then e). If it could
 * not, because of steps in D that are in conflict with it, then after D without as few of these as possible (and what depends
 * on them): each such subset gives a reversal. Pairs that another race of e shows are left out: p happens before k, and k and e are a race
 * whose reversal leaves out nothing.
 *
 * What is checked, and nothing else:
 *   1. Each step of the tree is one that the program takes there. It does not sleep, and was not told there before.
 *   2. Of a child all results are told.
 *   3. Where an execution ends, nothing is enabled, or all that is sleeps.
 *   4. For each race of each execution, with its reversal v in the state E: some child of E is an initial or a bystander of v, or an
 *      initial of v sleeps in E. (This is the source-set condition of Abdulla, Aronis, Jonsson, Sagonas, Source Sets, 2014. A bystander
 *      that sleeps is not enough. Say s sleeps in E, v is one step of q, and q's next is in conflict with s: what begins with both
 *      steps of q cannot begin with s, and nobody else would have to be there for it.)
 *
 * Theorem. If that holds: for every state E of the tree and every sequence w of steps that can be taken from E on, of which no initial sleeps
 * in E, the tree has an execution through E of which w is a beginning. So from the first state on, where nothing sleeps, every
 * execution of the program is a beginning of one in the tree, or equivalent to it if it ends. Every process comes there to every place
 * that it can come to, and every deadlock is reached.
 *
 * Proof, by the height of the tree below E, then by the length of w.
 *  (a) A child r of E is an initial of w; let it be the first such. By 2 it is there with the result that it has in w; let w be r w'. If an
 *      initial of w' slept behind r, it would be independent of r, hence an initial of w; and it would sleep in E, or be an earlier
 *      child. So the theorem holds for w' there.
 *  (b) None is, but a child r is a bystander of w. Then w can be taken behind r; nothing that sleeps there is an initial of w, as in (a).
 *      r w is a beginning of an execution there, and so is w, for w r is equivalent.
 *  (c) Neither, and w is not empty. By 3 there is a child, for the first step of w does not sleep. For a child p let w'(p) be the longest beginning of w
 *      that is independent of p. Take p for which it is longest; w is w' e ..., and e is in conflict with p. Behind p, w' can be taken. If then
 *      e can, too: nothing that sleeps behind p is an initial of w' e (as before; and e's process, being in conflict with p, does not
 *      sleep there unless it has other steps in w'). So there is an execution through p with the beginning p w' e, all of whose steps
 *      before e are p or in w'. There p and e are a race with the reversal v, and w' e is a beginning of v. By 4 some child
 *      r is an initial or bystander of v: hence of w' e, hence w'(r) is longer than w'(p), which cannot be. Or an initial r of v sleeps in E. It has a step
 *      in v; what sleeps takes no step before one that it is in conflict with, and in v there is none such before it; so it is e's process,
 *      an initial of w' e and of w, which was excluded.
 *      If e is blocked behind p w': take an execution through p with the beginning p w' in which as few steps as possible happen before e (e may
 *      stay undone). Let L be those steps that are free of p, in conflict with e, before e or beside it, and not in w'. Without all of L e
 *      could go, so for some smallest subset S of L the reversal v is D without S, and then e; the pair is not left out, or another
 *      execution would have fewer steps before e. By 4 a child r is an initial or bystander of v. It is one of w', and in conflict with e (else w'(r) were
 *      longer): it is one of L, not of S. Let r be the first such child. Behind r the rest of v can be taken, and nothing that sleeps there is an initial of it. So
 *      there is an execution through r with e taken, after fewer of L. The same again with r in the place of p: L becomes empty at last, and
 *      then the first argument applies.
 *
 * What it rests on: that the program does the same whenever it is given the same results, in the same order of conflicting operations; that
 * two steps which are in no conflict are independent wherever both can go (dependence.h, and the types in objects/, each tested by brute
 * force); and system.h, which says what can go. Not on search/, nor on any forecast: the program is run along several
 * executions at one go, or along one (tree_ahead.h), and nothing is concluded of what it has not done. What dependence.h has seen of the program
 * grows while it runs. When it has grown at the end, the tree is followed again, so that all of it is judged by the same knowledge.
 *
 * What is not covered: properties of states. Two orders of independent steps pass through different states, of which only some are in
 * the tree; so invariants are refused.
 *
 * A part of a tree (tree_part.h) is a row of its executions. It begins on a path, of whose states other parts tell the children before.
 * Races are looked for in every execution of the part, whatever of it is in the path. A state that is left in a part has all its
 * children told there, or before it. So what a state owes is paid where it is left; of states that are not left when the part is over, it
 * is written down, and compared with their children when all parts were followed.
 * SPDX-License-Identifier: MIT */
#ifndef TREE_H
#define TREE_H

#include "certifier/certify.h"
#include "certifier/tree_file.h"

/* As `certify`. -ERANGE: a limit of ours; err says which. */
int tree_certify(const struct certify_settings *, struct tree_file *, struct system *, struct certification *, struct err *);

#endif
