/** Which secrets and identity tokens a job was given; asked for when somebody wants to know. For whoever may write. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/job-credentials.ts";
import { Button } from "../../ui/button.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./job-outputs.module.css";
import type { Job, Run } from "./run-status.ts";

type Credentials = Schemas["JobCredentials"];

export function JobCredentials({ run, job }: { run: Run; job: Job }) {
  const [isAsked, setAsked] = useState(false);
  const path = { ...useRepositoryPath(), id: run.id };
  const given = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/pipelines/{id}/credentials",
    { params: { path, query: { job: job.id } } },
    { enabled: isAsked },
  );
  if (!isAsked)
    return (
      <div>
        <Button kind="quiet" onClick={() => setAsked(true)}>
          {text.show}
        </Button>
      </div>
    );
  return (
    <QueryView query={given} lines={2}>
      {(attempts) => (attempts.length === 0 ? <p>{text.none}</p> : <Given attempts={attempts} />)}
    </QueryView>
  );
}

function Given({ attempts }: { attempts: readonly Credentials[] }) {
  const several = attempts.length > 1;
  return (
    <dl className={styles.outputs} aria-label={text.given}>
      {attempts.flatMap(({ attempt, secrets, id_tokens: tokens }) => {
        const of = several ? ` (${text.attempt(attempt)})` : "";
        return [
          ...secrets.map(({ name, level }) => (
            <div key={`${attempt} secret ${name}`}>
              <dt>{name}</dt>
              <dd>{`${text.secret} ${level === null ? `(${text.gone})` : text.levels[level]}${of}`}</dd>
            </div>
          )),
          ...tokens.map(({ name, audience }) => (
            <div key={`${attempt} token ${name}`}>
              <dt>{name}</dt>
              <dd>{`${text.token(audience)}${of}`}</dd>
            </div>
          )),
        ];
      })}
    </dl>
  );
}
