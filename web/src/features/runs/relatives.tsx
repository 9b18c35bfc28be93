/** The run that started this one, and those that its jobs started, each with a link. */
import { Link } from "react-router";
import { text } from "../../text/relatives.ts";
import { StatusMark } from "../../ui/status.tsx";
import styles from "../pipelines/plan-variables.module.css";
import { jobsOf, type Run } from "./run-status.ts";

export function Relatives({ run }: { run: Run }) {
  const { parent, children } = run;
  const names = new Map(jobsOf(run).map(({ id, name }) => [id, name]));
  return (
    <section aria-label={text.title}>
      <h2>{text.title}</h2>
      <ul className={styles.list}>
        {parent === null ? null : (
          <li>
            {text.startedBy} <RunLink repository={parent.repository} number={parent.number} />
          </li>
        )}
        {children.map(({ id, repository, number, status, pipeline, job, attempt }) => (
          <li key={id}>
            <StatusMark status={status} /> {text.started} <RunLink repository={repository} number={number} />{" "}
            <code>{pipeline}</code>{" "}
            <span className={styles.level}>{text.ofJob(names.get(job) ?? job, attempt)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For the page of the job that started them. */
export function ChildLinks({ runs }: { runs: Run["children"] }) {
  return runs.map(({ id, repository, number, status }) => (
    <span key={id}>
      <StatusMark status={status} /> {text.started} <RunLink repository={repository} number={number} />
    </span>
  ));
}

function RunLink({ repository, number }: { repository: string; number: number }) {
  return (
    <Link to={`/${repository}/pipelines/${number}`} data-inline>
      {text.run(repository, number)}
    </Link>
  );
}
