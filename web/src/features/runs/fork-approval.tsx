/** The approval of a commit that comes from a fork: what it is about, who has decided, and the buttons of those who may. */
import { Check, ShieldCheck, X } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text as words } from "../../text/approvals.ts";
import { text } from "../../text/fork-approvals.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { useChange } from "../../ui/use-change.ts";
import { shortName } from "../commits/commit-id.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { DecideBox } from "./decide-box.tsx";
import styles from "./approvals.module.css";

type Fork = Schemas["ForkApproval"];

const tones = { open: "info", approved: "good", rejected: "bad", closed: "plain" } as const;

export function ForkApproval({ fork }: { fork: Fork }) {
  const { full_name: fullName } = useRepository();
  const { merge_request: number, author, sha, state, decided_by: by, decided_at: at, comment } = fork;
  return (
    <section className={styles.gate} aria-label={text.title}>
      <div className={styles.head}>
        <h2>{text.title}</h2>
        <Badge tone={tones[state]}>{words.states[state]}</Badge>
        <span className={styles.soft}>
          <Link className={styles.newer} to={`/${fullName}/merge-requests/${number}`}>
            {text.mergeRequest(number)}
          </Link>{" "}
          {text.ofCommit(author, shortName(sha))}
        </span>
      </div>
      {state === "open" ? <p className={styles.message}>{text.what}</p> : null}
      {by !== null && at !== null ? (
        <ul className={styles.decisions}>
          <li>
            <b>{by.username}</b> {state === "approved" ? words.hasApproved : words.hasRejected}{" "}
            <Time at={at} />
            {comment === "" ? "" : `: ${comment}`}
          </li>
        </ul>
      ) : null}
      {fork.may_decide ? <Decide author={author} /> : null}
    </section>
  );
}

function Decide({ author }: { author: string }) {
  const { number = "" } = useParams();
  const path = { ...useRepositoryPath(), id: number };
  const [comment, setComment] = useState("");
  const send = (body: { decision: "approve" | "reject"; trust_author?: boolean }) =>
    api.POST("/repos/{owner}/{repo}/pipelines/{id}/approvals", {
      params: { path },
      body: { ...body, ...(comment === "" ? {} : { comment }) },
    });
  const approve = useChange(() => send({ decision: "approve" }), { said: words.saidApproved });
  const trust = useChange(() => send({ decision: "approve", trust_author: true }), {
    said: text.saidTrusted(author),
  });
  const reject = useChange(() => send({ decision: "reject" }), { said: words.saidRejected });
  const changes = [approve, trust, reject];
  const isBusy = changes.some(({ isPending }) => isPending);
  const error = changes.find((change) => change.error)?.error ?? null;
  return (
    <DecideBox {...{ comment, error }} onComment={setComment}>
      <Button
        kind="primary"
        icon={<Check aria-hidden />}
        busy={isBusy}
        onClick={() => approve.mutate(undefined)}
      >
        {text.approve}
      </Button>
      <Button icon={<ShieldCheck aria-hidden />} busy={isBusy} onClick={() => trust.mutate(undefined)}>
        {text.trust(author)}
      </Button>
      <Button kind="danger" icon={<X aria-hidden />} busy={isBusy} onClick={() => reject.mutate(undefined)}>
        {words.reject}
      </Button>
    </DecideBox>
  );
}
