/** Which secrets and identity tokens a job was given. For whoever may write. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/job-credentials.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./job-outputs.module.css";
import type { Job, Run } from "./run-status.ts";

type Credentials = Schemas["JobCredentials"];

export function JobCredentials({ run, job }: { run: Run; job: Job }) {
  const path = { ...useRepositoryPath(), id: run.id };
  const given = $api.useQuery("get", "/repos/{owner}/{repo}/pipelines/{id}/credentials", {
    params: { path, query: { job: job.id } },
  });
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
