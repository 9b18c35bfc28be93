/** Stages and jobs of a run that wait for people, or did: who may approve, who has, and the buttons of those who may. */
import { Check, X } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/approvals.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { shortName } from "../commits/commit-id.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { placeOf } from "./approval-place.ts";
import { DecideBox } from "./decide-box.tsx";
import styles from "./approvals.module.css";

type Gate = Schemas["ApprovalGate"];
type Decision = "approve" | "reject";

const tones = {
  open: "info",
  approved: "good",
  rejected: "bad",
  expired: "warn",
  closed: "plain",
} as const;

export function Approvals({ gates }: { gates: readonly Gate[] }) {
  return (
    <div className={styles.gates}>
      {gates.map((gate) => (
        <GateCard key={gate.id} gate={gate} />
      ))}
    </div>
  );
}

function GateCard({ gate }: { gate: Gate }) {
  const place = placeOf(gate);
  const given = gate.approvals.filter(({ decision, counts }) => decision === "approve" && counts).length;
  return (
    <section className={styles.gate} aria-label={text.title(place)}>
      <div className={styles.head}>
        <h2>{text.title(place)}</h2>
        <Badge tone={tones[gate.state]}>{text.states[gate.state]}</Badge>
        <span className={styles.soft}>{text.given(given, gate.count)}</span>
        <span className={styles.soft}>
          {text.by(whoMay(gate))}
          {gate.allow_self ? "" : `, ${text.notSelf}`}
        </span>
        {gate.state === "open" ? (
          <span className={styles.soft}>
            {text.until} <Time at={gate.expires_at} />
          </span>
        ) : null}
      </div>
      {gate.shortage === null ? null : <Notice tone="warn">{gate.shortage}</Notice>}
      {gate.newer && gate.state === "open" ? <Newer newer={gate.newer} /> : null}
      {gate.rollback && gate.state === "open" ? <Rollback rollback={gate.rollback} sha={gate.sha} /> : null}
      {gate.message === null ? null : <p className={styles.message}>{gate.message}</p>}
      {gate.approvals.length > 0 ? (
        <ul className={styles.decisions}>
          {gate.approvals.map((one) => (
            <li key={one.user.id}>
              <b>{one.user.username}</b> {one.decision === "approve" ? text.hasApproved : text.hasRejected}{" "}
              <Time at={one.at} />
              {one.comment ? `: ${one.comment}` : ""}{" "}
              {one.counts ? "" : `(${gate.decided_at === null ? text.countsNot : text.countedNot})`}
            </li>
          ))}
        </ul>
      ) : null}
      {gate.may_decide ? <Decide gate={gate} place={place} /> : null}
    </section>
  );
}

const whoMay = ({ approvers, level }: Gate) => approvers.concat(level ? text.anyone(level) : []).join(", ");

/** Who approves should know what this run would replace. */
function Newer({ newer }: { newer: NonNullable<Gate["newer"]> }) {
  const { full_name: fullName } = useRepository();
  const { pipeline, sha, environment, at, refused } = newer;
  return (
    <Notice tone="warn">
      {text.newerBefore}
      <Link className={styles.newer} to={`/${fullName}/pipelines/${pipeline.number}`}>
        {text.newerRun(pipeline.number)}
      </Link>
      {text.newerCommit(shortName(sha), environment)}
      <Time at={at} />
      {refused ? text.newerRefused : text.newerReplaced}
    </Notice>
  );
}

function Rollback({ rollback, sha }: { rollback: NonNullable<Gate["rollback"]>; sha: string }) {
  const { full_name: fullName } = useRepository();
  const { environment, replaces, asked_by: by } = rollback;
  return (
    <Notice tone="warn">
      {text.rollback(environment, shortName(sha))}
      <Link className={styles.newer} to={`/${fullName}/pipelines/${replaces.pipeline.number}`}>
        #{replaces.pipeline.number}
      </Link>
      {text.rollbackCommit(shortName(replaces.sha))}
      {by === null ? "" : text.rollbackBy(by)}.
    </Notice>
  );
}

function Decide({ gate, place }: { gate: Gate; place: string }) {
  const { number = "" } = useParams();
  const path = { ...useRepositoryPath(), id: number };
  const [comment, setComment] = useState("");
  const { stage, job, environment } = gate;
  const named = environment === null ? {} : { environment };
  const target = job === null ? { stage } : { job, ...named };
  const send = (decision: Decision) =>
    api.POST("/repos/{owner}/{repo}/pipelines/{id}/approvals", {
      params: { path },
      body: { ...target, decision, ...(comment === "" ? {} : { comment }) },
    });
  const approve = useChange(() => send("approve"), { said: text.saidApproved });
  const reject = useChange(() => send("reject"), { said: text.saidRejected });
  const isBusy = approve.isPending || reject.isPending;
  const error = approve.error ?? reject.error;
  return (
    <DecideBox {...{ comment, error }} onComment={setComment}>
      <Button
        kind="primary"
        icon={<Check aria-hidden />}
        aria-label={text.nameOf(text.approve, place)}
        busy={isBusy}
        onClick={() => approve.mutate(undefined)}
      >
        {text.approve}
      </Button>
      <Button
        kind="danger"
        icon={<X aria-hidden />}
        aria-label={text.nameOf(text.reject, place)}
        busy={isBusy}
        onClick={() => reject.mutate(undefined)}
      >
        {text.reject}
      </Button>
    </DecideBox>
  );
}
