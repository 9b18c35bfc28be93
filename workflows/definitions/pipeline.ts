/**
 * The course of one run. Load the graph. Then, until every job is final: take in what was said about attempts and by
 * people; decide; write down what has ended, stop what must stop, force what did not stop in time, start what is ready;
 * when there is nothing to do, wait for the next fact or limit. At the end the run gets its final status.
 */
import {
  TemporalFailure,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
  defineSignal,
  patched,
  uuid4,
  workflowInfo,
} from "@temporalio/workflow";
import type {
  AttemptFact,
  CancelRequest,
  ChildWait,
  GateDecided,
  PipelineWorkflowInput,
  SlotChange,
} from "@forgeline/schemas/pipelines/workflow.ts";
import type { PipelineActivities } from "../activities/pipelines.ts";
import { applyChildWait, applyGateDecided } from "./approval-gates.ts";
import { createAlarm } from "./alarm.ts";
import { applySlotChange } from "./concurrency-slots.ts";
import { decide, type Decision } from "./pipeline-plan.ts";
import { shortActivity } from "./profiles.ts";
import {
  applyCancel,
  applyFact,
  applyForced,
  applyStarted,
  applyStopped,
  newRunState,
  takeEarly,
  type RunState,
} from "./run-state.ts";

const activities = proxyLocalActivities<PipelineActivities>(shortActivity);
const attemptFacts = defineSignal<[AttemptFact[]]>("attemptFacts");
const gateDecided = defineSignal<[GateDecided]>("gateDecided");
const cancel = defineSignal<[CancelRequest]>("cancel");
const slotChanged = defineSignal<[SlotChange]>("slotChanged");
const childWait = defineSignal<[ChildWait]>("childWait");

/** `carried` is what an earlier part of the same run knew when its history had grown too long. */
export async function pipeline(input: PipelineWorkflowInput, carried?: RunState): Promise<void> {
  const said: ((state: RunState) => void)[] = [];
  setHandler(attemptFacts, (facts) => {
    // Earlier, a combination that had failed by itself was cancelled if another one had failed just before it.
    const own = facts.some(({ status }) => status === "failed") && patched("own-failure");
    for (const fact of facts) said.push((state) => applyFact(state, { ...fact, own }, Date.now()));
  });
  setHandler(gateDecided, (gate) => void said.push((state) => applyGateDecided(state, gate)));
  setHandler(slotChanged, (change) => void said.push((state) => applySlotChange(state, change, Date.now())));
  setHandler(childWait, (wait) => {
    // A worker of an older release took no notice of it: what came of that is replayed as it went.
    if (patched("child-wait")) said.push((state) => applyChildWait(state, wait, Date.now()));
  });
  setHandler(cancel, (request) => void said.push((state) => applyCancel(state, request, Date.now())));
  try {
    await follow(input, carried, said);
  } catch (error) {
    if (!(error instanceof TemporalFailure)) throw error;
    await activities.finishRun({ ...input, jobs: [], reason: `internal:${uuid4()}` });
  }
}

async function follow(
  input: PipelineWorkflowInput,
  carried: RunState | undefined,
  said: ((state: RunState) => void)[],
): Promise<void> {
  const state = carried ?? newRunState(await activities.loadRun(input), Date.now());
  const alarm = createAlarm();
  for (;;) {
    for (const tell of said.splice(0)) tell(state);
    const next = decide(state, Date.now());
    if (next.finished) {
      const reason = state.ending?.reason ?? null;
      await activities.finishRun({ ...input, jobs: next.settle, reason });
      return;
    }
    if (await carryOut(input, state, next)) continue;
    if (workflowInfo().continueAsNewSuggested && said.length === 0) {
      await continueAsNew<typeof pipeline>(input, state);
    }
    alarm.set(next.wakeAt);
    await condition(() => said.length > 0 || alarm.takeFired());
  }
}

/** True when something was done, so that there may be more to decide. */
async function carryOut(input: PipelineWorkflowInput, state: RunState, next: Decision): Promise<boolean> {
  const { settle, stop, force, start } = next;
  if (settle.length > 0 && start.length === 0) await activities.settleJobs({ ...input, jobs: settle });
  if (stop.length > 0) {
    applyStopped(
      state,
      { asked: stop, answers: await activities.requestStop({ ...input, jobs: stop }) },
      Date.now(),
    );
  }
  if (force.length > 0) applyForced(state, force, await activities.forceEnd({ ...input, jobs: force }));
  if (start.length > 0) {
    const started = await activities.startJobs({ ...input, settled: settle, jobs: start });
    applyStarted(state, started, Date.now());
    const early = takeEarly(state);
    // Runs that began before these facts were kept are replayed as they went.
    if (early.length > 0 && patched("early-facts"))
      for (const fact of early) applyFact(state, fact, Date.now());
  }
  return settle.length + stop.length + force.length + start.length > 0;
}
