/* How a run of the checker is told what to do, and what it tells; the protocol is in protocol.pml. */
c_decl {
  static int setting(const char *name, int otherwise) {
    const char *given = getenv(name);
    return given ? atoi(given) : otherwise;
  }
}
/* The same in every state. */
byte deliveries, faultsMost, guardTakenAway; bool atMostOnce;
#define SET c_code { now.deliveries = setting("DELIVERIES", 3); now.faultsMost = setting("FAULTS", 2); \
  now.guardTakenAway = setting("WITHOUT", 0); now.atMostOnce = setting("AT_MOST_ONCE", 0); }
#define AT_MOST_ONCE atMostOnce

#define HOLDS(name, condition) \
  if :: (condition) :: else -> printf("broken "); printf(#name); printf("\n"); assert(false) fi

/* Guards that can be taken away, one at a time. */
#define WITHOUT(guard) (guardTakenAway == guard)
#define GUARD(guard, condition) (WITHOUT(guard) || (condition))
#define CLAIM_CONDITION 1
#define OWN_CLAIM 2
#define TAKEOVER_CONDITION 3
#define FINALIZE_CONDITION 4
#define FAIL_CONDITION 5
#define REDRIVE_TOKEN 6
#define STEP_END_WAIT 7
#define PAYLOAD 8
#define HELD_IS_FINAL 9
#define OVERDUE 10
#define CALL_AGAIN 11
#define RELEASED_BY 12
#define RETENTION 13
#define RECOVERY_WAITS 14
#define LIVING_OWNER 15
#define UNKNOWN_IS_DOUBT 16
#define REDRIVES_BOUND 17
#define SECOND_LOOK 18
#define DOUBT_IS_HELD 19
#define REDRIVE_AT_ONCE 20
#define RELEASE_CONDITION 21
#define HOLDING 22

/* What happens, by the name that the exploration has for it. */
#define START 1
#define START_OTHER 2
#define DO 3
#define END 4
#define LOSE 5
#define LIMIT 6
#define ABORT 7
#define REJECT 8
#define WORKS 9
#define FAIL 10
#define KILL 11
#define LOSE_ANSWER 12
#define TIMER 13
#define LATE 14
#define NEVER 15
#define ENDS 16
#define TELL 17
#define TELL_AGAIN 18
#define UNTOLD 19
#define RECOVER 20
#define WAKE 21
#define STOP_RECOVERY 22
#define LOSE_RECOVERY 23
#define DELAY_RECOVERY 24
#define STALE_RECOVERY 25
#define RELEASE 26
#define RELEASE_KILLED 27
#define RELEASED 28
#define REDRIVE 29
#define FORTNIGHT 30
#define FORGOTTEN 31
#define RETENTION_NEARLY 32
#define TTL 33
#define PASS 34
#define OUTLASTS 35
#define THROTTLE 36

/* With a script, all happens as it says, and time may pass at each PASS; then what can happen without a fault. */
#ifdef SCRIPT
byte what[100], who[100], at, numbers;
#define ON(e, x) (what[at] == 0 || (what[at] == e && (who[at] == (x) || who[at] == 255)))
#define SAID (what[at] == 0)
#define TIME (what[at] == 0 || what[at] == PASS)
#define SAY(e, x) d_step { printf("step %d %d\n", e, (x) + 1); if :: what[at] -> at++; \
  if :: !what[at] -> faults = 0; c_code { printf("script over\n"); } :: else fi :: else fi }
#define NUMBERED nr = numbers; numbers++
/* A recovery that a delivery has called reads the input of that delivery first. */
#define INPUT Input
/* Rejected to the last retry: the step has failed, or it is stopped and nothing comes late. And an end that was one step
   with its request. */
#define THROTTLED \
  :: atomic { ALIVE(x) && k == invoke && FAULT(THROTTLE, x); next(fail, behind_step) } \
  :: atomic { ALIVE(x) && k != invoke && FAULT(THROTTLE, x); end(x, dead); add(events, x) } \
  :: atomic { what[at] && (life[x] == stuck || life[x] == succeeded) && STEP(END, x) }
/* Elsewhere what comes of it is what comes of a schedule with a fault less, or of the end of its sender's time. */
#define NEVER_CARRIED_OUT :: STEP(NEVER, lateX[i])
#define READ_INPUT Input: do :: atomic { STEP(RECOVER, nr); goto Ask } CUT od;
#define SCRIPTED :: atomic { what[at] == PASS && STEP(PASS, 0) }
#define SETTINGS SET; c_code { const char *given = getenv("STEPS"); int i = 0, n = 0; char *end; now.faults = 9; \
  for (; given && *given; i++) { n = strtol(given, &end, 10); given = end; \
  if (i % 2) now.who[i / 2] = n - 1; else now.what[i / 2] = n; \
  while (*given == ' ') given++; } }
#else
#define ON(e, x) true
#define TIME true
#define SAID true
#define SAY(e, x) printf("step %d %d\n", e, (x) + 1)
#define NUMBERED skip
#define INPUT Ask
#define THROTTLED
#define NEVER_CARRIED_OUT
#define READ_INPUT
#define SCRIPTED
#define SETTINGS SET; do :: faults < faultsMost -> faults++ :: break od
#endif
#define STEP(e, x) ON(e, x) -> SAY(e, x)
#define FAULT(e, x) faults && ON(e, x) -> faults--; heard = (faults -> heard : 0); SAY(e, x)
