/*
 * One idempotency key: deliveries, the owner of its record, recovery and a person, written from the protocol as
 * docs/guide/deliveries.md and decision 47 tell it. docs/proof/specification.md says how to read and run it.
 */
#define LAST 5      /* the delivery that comes when everything has ended; 0 to 2 come at any time, 3 and 4 again */
#define E 6         /* executions */
#define REDRIVES 1  /* how often recovery redrives one owner */
#define LOOKS 3     /* how often one recovery acts before it gives up */

mtype:Status = { absent, in_progress, completed, failed, releasing, released, held };
mtype:Life = { unborn, running, dead, stuck, succeeded };  /* dead: can be redriven; stuck: ended in a Fail state */
mtype:Place = { before_step, in_step, behind_step };
mtype:Request = { nothing, claim, invoke, complete, fail, doubt, take_over, redrive, read, call,
  awaits, lets_end, ends };                                 /* and what an execution is at without one */
mtype:Seen = { unasked, alive, ended, failedForGood, hasSucceeded, unknown }; /* what recovery was told of an owner */
mtype:Saw = { no_work, unfinished, unclaimed };              /* and what it read */

/* Sets of executions are bits. */
#define bit(x) (1 << (x))
#define has(set, x) ((set) & bit(x))
#define add(set, x) set = set | bit(x)
#define drop(set, x) set = set & (255 - bit(x))

mtype:Status status = absent;                               /* the record */
byte owner, attempt, result, payload;
bool expired, nearlyExpired, byPerson;
mtype:Life life[E] = unborn;                                /* what Step Functions knows of each execution */
mtype:Place place[E] = before_step;
byte redrives[E], gone, forgotten;
byte born, other;                                           /* who may begin; who has another payload */
byte events, heard, calls, named, again, fresh, atWork, slots; /* what recovery is told, and has done */
byte past, met, meant, old, rejected;                       /* time: of each end; of the record and its retention */
byte busy; bool awaited;                                    /* the one run of the step: whose, and is it waited for */
mtype:Request late[2] = nothing; mtype:Status lateS[2] = absent; /* requests whose senders have given them up */
byte lateX[2], lateA[2], lateO[2];
bool holding; mtype:Status before = absent; byte heldCount; /* a person who releases */
byte faults, successes, allowed = 1, stored, lastAttempt, lastRunner, done; /* what the invariants look at */
bool mayHaveRun, gaveUp, excused, lost, invalid, ready;

#include "protocol.h"

#define COUNTS (status != absent && !expired)
#define FINISHED (COUNTS && (status == completed || status == failed))
#define MINE(x) (COUNTS && status == in_progress && owner == x)
#define OWN(x, a) (status != absent && owner == x && attempt == (a))
#define SAME_PAYLOAD(x) (payload == (has(other, x) -> 1 : 0))
#define ALIVE(x) (life[x] == running)
#define QUIET (!busy && late[0] == nothing && \
  !ALIVE(0) && !ALIVE(1) && !ALIVE(2) && !ALIVE(3) && !ALIVE(4) && !ALIVE(5))

inline put(new, x, a) {
  HOLDS(completedStays, !COUNTS || status != completed || new == completed);
  HOLDS(ownerKeepsItsRecord, !COUNTS || status != in_progress || owner == x || !ALIVE(owner));
  status = new; owner = x; attempt = a
}
/* A request is carried out, now or late: `a` is the attempt that it sets or names, `o` and `s` what was read before. */
inline carryOut(k, x, a, o, s) {
  ok = true;
  if
  :: (k == claim && GUARD(CLAIM_CONDITION, !COUNTS || (OWN(x, 1) && GUARD(OWN_CLAIM, status == in_progress)))) ||
     (k == take_over && GUARD(TAKEOVER_CONDITION, (OWN(o, a - 1) && status == s) ||
                                                  (OWN(x, a) && status == in_progress))) ->
     HOLDS(attemptsRise, !COUNTS || a > attempt || (OWN(x, a) && status == in_progress));
     if :: k == claim -> payload = (has(other, x) -> 1 : 0) :: else fi;
     put(in_progress, x, a); expired = false; nearlyExpired = false; byPerson = false; result = 0; met = 0
  :: (k == complete && GUARD(FINALIZE_CONDITION, OWN(x, a))) || (k == fail && GUARD(FAIL_CONDITION, OWN(x, a))) ->
     HOLDS(onlyTheOwnerFinishes, OWN(x, a));
     put((k == complete -> completed : failed), x, a); met = met | born;
     if :: k == complete -> result = o; add(stored, o); done = done | born :: else fi
  :: k == doubt && OWN(x, a) -> put(held, x, a)
  :: k == invoke ->
     HOLDS(oneStepAtATime, !busy); HOLDS(samePayload, SAME_PAYLOAD(x));
     HOLDS(attemptsRise, a > lastAttempt || (a == lastAttempt && lastRunner == x));
     HOLDS(ranAtMostOnce, !AT_MOST_ONCE || !mayHaveRun);
     busy = x + 1; lastAttempt = a; lastRunner = x; mayHaveRun = AT_MOST_ONCE
  :: k == redrive && life[x] == dead && !has(gone, x) && GUARD(REDRIVE_TOKEN, redrives[x] == a) ->
     HOLDS(redrivesAreBounded, redrives[x] < REDRIVES); resume(x)
  :: else -> ok = false
  fi
}
inline leave(k, x, a, o, s) {                               /* its sender has given it up: it comes late, or never */
  i = (late[0] == nothing -> 0 : 1); late[i] = k; lateX[i] = x; lateA[i] = a; lateO[i] = o; lateS[i] = s; i = 0
}
inline forget(n) {
  if :: n == 0 -> late[0] = late[1]; lateX[0] = lateX[1]; lateA[0] = lateA[1]; lateO[0] = lateO[1]; lateS[0] = lateS[1]
     :: else fi;
  late[1] = nothing; lateX[1] = 0; lateA[1] = 0; lateO[1] = 0; lateS[1] = absent
}
inline end(x, how) { life[x] = how; if :: FINISHED -> add(meant, x) :: else fi }
inline resume(x) { life[x] = running; redrives[x]++; drop(past, x); drop(heard, x); drop(again, x); drop(meant, x) }
inline next(request, where) { k = request; place[x] = where }
inline rest() { a = 0; o = 0; s = absent; next(claim, before_step) }


#define TURN(x) (ready && x < deliveries && (x == 0 || life[x - 1] != unborn))
#define IS_WRITE (k == claim || k == complete || k == fail || k == doubt || k == take_over)
#define LIES_DEAD (life[x] == dead && has(past, x))

active [E] proctype Execution() {
  byte x = _pid, a = 1, o, i; mtype:Status s = absent; mtype:Request k = claim; bool ok;
  if
  :: atomic { x < LAST - 2 && TURN(x) && STEP(START, x); add(born, x); life[x] = running }
  :: atomic { x > 0 && x < LAST - 2 && TURN(x) && FAULT(START_OTHER, x); add(born, x); add(other, x);
       life[x] = running }
  :: x >= LAST - 2 && ALIVE(x)
  fi;
  do
  :: atomic { ALIVE(x) && (IS_WRITE || k == invoke || k == read || k == call) && STEP(DO, x);
       carryOut(k, x, a, o, s);
       if
       :: (k == claim || k == take_over) && ok -> o = 0; s = absent; next(invoke, in_step)
       :: (k == claim || k == take_over) && !ok -> k = read
       :: k == invoke -> awaited = true; k = awaits
       :: (k == complete && ok) || k == fail -> s = (k == complete -> completed : failed); k = ends
       :: (k == complete && !ok) || k == doubt -> end(x, stuck)
       :: k == call -> if                                   /* once in a quarter of an hour, as its name has that */
          :: !has(named, o) -> add(calls, o); if :: WITHOUT(CALL_AGAIN) -> add(named, o) :: else fi
          :: x != LAST || has(named, o)
          fi; end(x, stuck)
       :: k == read && !COUNTS -> a = 1; o = 0; s = absent; k = claim
       :: k == read && COUNTS && !GUARD(PAYLOAD, SAME_PAYLOAD(x)) -> end(x, stuck)
       :: k == read && COUNTS && GUARD(PAYLOAD, SAME_PAYLOAD(x)) -> o = owner; a = attempt + 1; s = status;
          if
          :: status == completed -> HOLDS(oneResult, has(stored, result)); HOLDS(samePayload, SAME_PAYLOAD(x));
             end(x, succeeded)
          :: status == failed || status == released || (status == in_progress && owner == x) ||
             (status == held && WITHOUT(HELD_IS_FINAL)) -> k = take_over
          :: status == in_progress && owner != x && !WITHOUT(OVERDUE) -> k = call         /* overdue */
          :: (status == in_progress && owner != x && (!has(past, owner) || WITHOUT(OVERDUE))) || status == releasing ||
             (status == held && !WITHOUT(HELD_IS_FINAL)) -> end(x, stuck)
          fi
       fi;
       if :: life[x] == stuck || life[x] == succeeded -> rest() :: else fi }
  :: atomic { ALIVE(x) && k == awaits && STEP(WORKS, x); busy = 0; awaited = false; successes++; o = successes;
       HOLDS(succeedsOnce, successes <= allowed); next(complete, behind_step) }
  :: atomic { ALIVE(x) && k == lets_end && GUARD(STEP_END_WAIT, busy != x + 1) && STEP(TIMER, x);
       k = (AT_MOST_ONCE -> doubt : fail) }
  :: atomic { ALIVE(x) && k == ends && STEP(END, x);
       if :: s == completed -> HOLDS(oneResult, has(stored, o)); end(x, succeeded)
          :: else -> end(x, stuck); add(events, x)
       fi; rest() }
  /* Faults: an answer is lost, with the request late or not; the service or the step fails; it is stopped. */
  :: atomic { ALIVE(x) && IS_WRITE && FAULT(LOSE, x); leave(k, x, a, o, s) }
  :: atomic { ALIVE(x) && k == claim && FAULT(LIMIT, x); leave(k, x, a, o, s); rest();
       invalid = has(born, LAST - 2) != 0; add(rejected, x); end(x, stuck); add(events, x) }
  :: atomic { ALIVE(x) && k == invoke && FAULT(REJECT, x); next(fail, behind_step) }
  :: atomic { ALIVE(x) && k == awaits && FAULT(FAIL, x); busy = 0; awaited = false; mayHaveRun = false;
       next(fail, behind_step) }
  :: atomic { ALIVE(x) && k == awaits && FAULT(KILL, x); busy = 0; awaited = false;
       next((AT_MOST_ONCE -> doubt : fail), behind_step) }
  :: atomic { ALIVE(x) && k == awaits && FAULT(LOSE_ANSWER, x); awaited = false; next(lets_end, behind_step) }
  THROTTLED
  :: atomic { ALIVE(x) && FAULT(ABORT, x); if
       :: IS_WRITE || k == invoke -> leave(k, x, a, o, s)
       :: k == awaits -> awaited = false; k = invoke
       :: k == ends -> k = (s == completed -> complete : fail); s = absent
       :: else
       fi; end(x, dead); add(events, x) }
  /* Once it has ended: the time is over in which anything of it may act; its event is lost; a person redrives it. */
  :: atomic { life[x] != unborn && !ALIVE(x) && !has(past, x) && busy != x + 1 && TIME -> add(past, x);
       do :: late[1] != nothing && lateX[1] == x -> forget(1) :: else -> break od;
       do :: late[0] != nothing && lateX[0] == x -> forget(0) :: else -> break od }
  :: atomic { has(events, x) && FAULT(UNTOLD, x); drop(events, x); lost = true }
  :: atomic { QUIET && LIES_DEAD && !has(gone, x) && FAULT(REDRIVE, x); resume(x); mayHaveRun = false }
  :: atomic { QUIET && LIES_DEAD && MINE(x) && !has(gone, x) && FAULT(FORTNIGHT, x); add(gone, x);
       allowed = successes + 1 }
  :: atomic { QUIET && LIES_DEAD && MINE(x) && !has(forgotten, x) && FAULT(FORGOTTEN, x); add(gone, x);
       add(forgotten, x); allowed = successes + 1 }
  od
}

/* What recovery sees: an unfinished record of x; no record that counts, and nothing that says that x's work is done. */
#define UNCLAIMED(x) ((!COUNTS || status == released) && (status == absent || (owner != x && !has(met | meant, x))))
#define MAY_BECOME_MINE(x) (status != absent && owner != x && status != completed)
#define RELEASED_FOR(x) (COUNTS && owner == x && status == released && GUARD(RELEASED_BY, !byPerson))
#define TOO_OFTEN (looks >= LOOKS)
#define EARLY(x) (seen != alive && redrives[x] == count && !ALIVE(x) && !has(past, x) && !WITHOUT(RECOVERY_WAITS))
#define CUT :: atomic { FAULT(STOP_RECOVERY, nr); if :: lost = true :: add(events, x) fi; goto Idle }
#define TOLD(n) \
  :: has(events, n) && STEP(TELL, n); drop(events, n); add(heard, n); x = n; known = true \
  :: has(heard, n) && FAULT(TELL_AGAIN, n); x = n; known = true \
  :: has(calls, n) -> drop(calls, n); x = n

active [2] proctype Recovery() {
  byte x, a, count, looks, me = _pid - E, nr = _pid - E, i; bool known; mtype:Seen seen = unasked;
  mtype:Saw saw = no_work;
Idle:
  atomic { x = 0; a = 0; count = 0; looks = 0; known = false; seen = unasked; saw = no_work; drop(atWork, me);
    drop(fresh, me); nr = me;                            
    me == 0 || has(atWork, 0); if TOLD(0) TOLD(1) TOLD(2) TOLD(3) TOLD(4) TOLD(5) fi;
    add(atWork, me); NUMBERED; count = redrives[x];
    if :: !known -> goto INPUT :: known && has(rejected, x) -> goto Wait :: else -> goto Look fi }
  READ_INPUT
Wait:
  do
  :: atomic { GUARD(RECOVERY_WAITS, has(past, x)) && STEP(WAKE, nr); goto Ask }
  :: atomic { ALIVE(x) && FAULT(OUTLASTS, nr); goto Ask }   /* a request of x takes longer than recovery waits */
  CUT
  od;
Ask:
  do
  :: atomic { STEP(RECOVER, nr); known = true; count = redrives[x];
       seen = (has(forgotten, x) -> unknown : (ALIVE(x) -> alive : (life[x] == dead -> ended :
         (life[x] == succeeded -> hasSucceeded : failedForGood))));
       if :: WITHOUT(SECOND_LOOK) -> goto Decide :: else -> saw = no_work; goto Look fi }
  :: atomic { !ALIVE(x) && FAULT(STALE_RECOVERY, nr);       /* told that it runs, although it has ended */
       if :: known -> excused = true; goto GiveUp :: else -> lost = true; goto Idle fi }
  CUT
  od;
Look:
  do
  :: atomic { STEP(RECOVER, nr); add(fresh, me); a = attempt;
       saw = (MINE(x) -> unfinished : (UNCLAIMED(x) -> unclaimed : no_work));
       if
       :: RELEASED_FOR(x) && !TOO_OFTEN -> HOLDS(personsReleaseStays, !byPerson); goto Deliver
       :: (RELEASED_FOR(x) || (COUNTS && owner == x && status == releasing)) && TOO_OFTEN -> goto GiveUp
       :: COUNTS && owner == x && status == releasing && !TOO_OFTEN -> looks++; goto Wait
       :: saw == unclaimed && status == absent && has(old, x) && !WITHOUT(RETENTION) -> excused = true; goto GiveUp
       :: else -> if
          :: seen == unasked && (saw != no_work || MAY_BECOME_MINE(x)) && !WITHOUT(RECOVERY_WAITS) -> goto Wait
          :: else -> goto Decide
          fi
       fi;
Decide: if
       :: saw == no_work -> goto Idle
       :: saw != no_work && EARLY(x) -> goto Wait
       :: saw != no_work && !EARLY(x) && TOO_OFTEN -> goto GiveUp
       :: saw == unclaimed && !EARLY(x) && !TOO_OFTEN -> if
          :: seen == ended || seen == unasked -> HOLDS(deliversWhatIsUndone, !has(done, x)); goto Deliver
          :: else -> goto Idle
          fi
       :: saw == unfinished && !EARLY(x) && !TOO_OFTEN -> if
          :: seen == alive && !WITHOUT(LIVING_OWNER) -> goto Idle
          :: seen == hasSucceeded -> goto Complete
          :: seen == failedForGood || (seen == alive && WITHOUT(LIVING_OWNER)) -> goto Release
          :: seen == unknown && AT_MOST_ONCE && !WITHOUT(UNKNOWN_IS_DOUBT) -> goto Hold
          :: (seen == ended || seen == unasked) && AT_MOST_ONCE -> goto Locate
          :: (seen == unknown && (!AT_MOST_ONCE || WITHOUT(UNKNOWN_IS_DOUBT))) ||
             (seen == ended && !AT_MOST_ONCE && has(gone, x)) ->
             goto Release
          :: (seen == ended || seen == unasked) && !AT_MOST_ONCE && !has(gone, x) -> if
             :: GUARD(REDRIVES_BOUND, count < REDRIVES) -> goto Redrive
             :: else -> goto Hold
             fi
          fi
       fi }
  CUT
  od;
Locate:                                                     /* at most once: where did it stop? */
  do
  :: atomic { STEP(RECOVER, nr); if
       :: redrives[x] != count || life[x] != dead -> looks++; goto Wait
       :: redrives[x] == count && life[x] == dead -> if
          :: GUARD(DOUBT_IS_HELD, place[x] != in_step) && !has(gone, x) && count < REDRIVES -> goto Redrive
          :: place[x] == before_step && (has(gone, x) || count >= REDRIVES) -> goto Release
          :: else -> goto Hold
          fi
       fi }
  CUT
  od;
Redrive:
  do
  :: atomic { STEP(RECOVER, nr); looks++; if
       :: GUARD(REDRIVE_AT_ONCE, has(fresh, me)) && life[x] == dead && !has(gone, x) &&
          GUARD(REDRIVE_TOKEN, redrives[x] == count) ->
          HOLDS(redrivesAreBounded, redrives[x] < REDRIVES); resume(x)
       :: else
       fi; goto Wait }
  :: atomic { has(fresh, me) && FAULT(DELAY_RECOVERY, nr); looks++; leave(redrive, x, count, 0, absent); goto Wait }
  CUT
  od;
Complete:
  do
  :: atomic { STEP(RECOVER, nr); if
       :: MINE(x) && attempt == a -> put(completed, x, a); add(stored, result); met = met | born; goto Idle
       :: else -> looks++; goto Wait
       fi }
  CUT
  od;
Release:
  do
  :: atomic { STEP(RECOVER, nr); if
       :: GUARD(RELEASE_CONDITION, MINE(x) && attempt == a) -> put(released, x, a); byPerson = false; goto Deliver
       :: else -> looks++; goto Wait
       fi }
  :: atomic { MINE(x) && attempt == a && FAULT(LOSE_RECOVERY, nr); put(released, x, a) }
  CUT
  od;
Hold:
  do
  :: atomic { STEP(RECOVER, nr); if
       :: MINE(x) && attempt == a -> put(held, x, a); goto Idle
       :: else -> looks++; goto Wait
       fi }
  CUT
  od;
Deliver:
  do
  :: atomic { STEP(RECOVER, nr); if
       :: !has(fresh, me) -> looks++; goto Wait
       :: has(fresh, me) && has(again, x) -> goto Idle      /* its name is taken */
       :: has(fresh, me) && !has(again, x) -> HOLDS(enoughExecutions, slots < 2); i = LAST - 2 + slots; slots++;
          add(again, x); add(born, i); life[i] = running;
          if :: has(other, x) -> add(other, i) :: else fi; i = 0; goto Idle
       fi }
  CUT
  od;
GiveUp:
  atomic { HOLDS(givesUpForAReason, excused); gaveUp = true; goto Idle }
}

inline free() {
  put(released, owner, attempt); byPerson = true; allowed = successes + 1; mayHaveRun = false
}
#define RELEASABLE (!holding && COUNTS && (status == in_progress || status == held || status == releasing) && \
  !ALIVE(owner) && has(past, owner))
#define AT_ITS_END(x) (!ALIVE(x) || (place[x] == behind_step && owner == x))
#define ONLY_ENDS (AT_ITS_END(0) && AT_ITS_END(1) && AT_ITS_END(2) && AT_ITS_END(3) && AT_ITS_END(4) && AT_ITS_END(5))
#define UNDONE(x) (life[x] == dead && !has(met | meant | old | done, x))
#define SETTLED (gaveUp || invalid || (COUNTS && (status != in_progress || life[owner] == succeeded) && \
  (status != released || byPerson)) || \
  (!COUNTS && !UNDONE(0) && !UNDONE(1) && !UNDONE(2) && !UNDONE(3) && !UNDONE(4) && !UNDONE(5)))

active proctype World() {
  byte i; bool ok;
  atomic { SETTINGS; ready = true }
  do
  SCRIPTED
  :: atomic { late[0] != nothing -> if :: i = 0 :: late[1] != nothing -> i = 1 fi; if
       :: STEP(LATE, lateX[i]); lost = lost || (late[i] == claim && has(meant, lateX[i]));  /* decision 29 leaves it */
          carryOut(late[i], lateX[i], lateA[i], lateO[i], lateS[i])
       NEVER_CARRIED_OUT
       fi; forget(i); i = 0 }
  :: atomic { busy && !awaited && STEP(ENDS, busy - 1); busy = 0 }
  /* A person releases a key: holds its record for so long that no redrive is on its way, and then frees it. */
  :: atomic { RELEASABLE && FAULT(RELEASE, 0); excused = true; heldCount = redrives[owner];
       before = (status == held -> held : in_progress);
       if :: WITHOUT(HOLDING) -> free() :: else -> put(releasing, owner, attempt); holding = true fi }
  :: atomic { RELEASABLE && FAULT(RELEASE_KILLED, 0); excused = true; put(releasing, owner, attempt) }
  :: atomic { holding && late[0] != redrive && late[1] != redrive && STEP(RELEASED, 0); holding = false; fresh = 0;
       if
       :: status == releasing && redrives[owner] == heldCount && !ALIVE(owner) -> free()
       :: status == releasing && !(redrives[owner] == heldCount && !ALIVE(owner)) -> put(before, owner, attempt)
       :: else
       fi; heldCount = 0; before = absent }
  /* The retention is nearly over, and over; then DynamoDB deletes the record. */
  :: atomic { FINISHED && !nearlyExpired && !busy && late[0] == nothing && ONLY_ENDS && FAULT(RETENTION_NEARLY, 0);
       nearlyExpired = true }
  :: atomic { nearlyExpired && !expired && TIME -> expired = true; old = old | met; fresh = 0; allowed = successes + 1;
       lastAttempt = 0; mayHaveRun = false }
  :: atomic { expired && STEP(TTL, 0); status = absent; expired = false; nearlyExpired = false; owner = 0; attempt = 0;
       result = 0; met = 0; payload = 0 }
  /* Nothing can happen any more: the key has its end, or gets it by one more delivery. */
  :: atomic { timeout && SAID -> if
       :: !has(born, LAST) -> HOLDS(recoveredAlone, lost || SETTLED); faults = 0; add(born, LAST); life[LAST] = running;
          if :: payload -> add(other, LAST) :: else fi
       :: else -> HOLDS(nextDeliveryHeals, has(done, LAST) || status == completed || status == held ||
                                           status == releasing); break
       fi }
  od
}
