/** Merge requests, one below the other. */
import { GitBranch, MessageSquare } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/merge-requests.ts";
import { StatusMark } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import { mergeRequestAddress } from "./addresses.ts";
import styles from "./merge-request-list.module.css";
import { sourceName } from "./source-name.ts";
import { MergeRequestMark } from "./state-mark.tsx";
import { nameOfAuthor } from "../work-items/actor.tsx";

export function MergeRequestList({ rows }: { rows: readonly Schemas["MergeRequest"][] }) {
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <Row key={row.id} mergeRequest={row} />
      ))}
    </ul>
  );
}

function Row({ mergeRequest }: { mergeRequest: Schemas["MergeRequest"] }) {
  const repository = useRepository();
  const address = mergeRequestAddress(repository, mergeRequest.number);
  const { number, title, labels, milestone, pipeline, comments_count: comments } = mergeRequest;
  return (
    <li className={styles.row}>
      <MergeRequestMark mergeRequest={mergeRequest} />
      <div className={styles.what}>
        <div className={styles.title}>
          <Link to={address}>{title}</Link>
          {labels.map((label) => (
            <LabelChip key={label.id} {...label} />
          ))}
        </div>
        <div className={styles.about}>
          <span>
            !{number} {text.opened} <Time at={mergeRequest.created_at} /> {text.by}{" "}
            {nameOfAuthor(mergeRequest) ?? text.somebody}
          </span>
          <span>
            <GitBranch size={13} aria-hidden />{" "}
            {text.branches(sourceName(mergeRequest, repository.id), mergeRequest.target_branch)}
          </span>
          {milestone ? <span>{milestone.title}</span> : null}
        </div>
      </div>
      <div className={styles.end}>
        {pipeline ? <StatusMark status={pipeline.status} bare /> : null}
        {comments > 0 ? (
          <span title={text.comments(comments)}>
            <MessageSquare size={14} aria-hidden /> <span aria-hidden>{comments}</span>
            <span className="visually-hidden">{text.comments(comments)}</span>
          </span>
        ) : null}
      </div>
    </li>
  );
}
