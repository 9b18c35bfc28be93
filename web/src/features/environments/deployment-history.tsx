/** What was deployed to an environment, newest first, with the button that goes back. */
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/environments.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { mayRun } from "../pipelines/may-run.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";

type Deployment = Schemas["Deployment"];

export function DeploymentHistory({ environment }: { environment: string }) {
  const { full_name: fullName } = useRepository();
  const path = { ...useRepositoryPath(), name: environment };
  const pages = usePages(["deployments", fullName, environment], (query) =>
    api.GET("/repos/{owner}/{repo}/environments/{name}/deployments", { params: { path, query } }),
  );
  return (
    <Section title={text.history}>
      <PagedTable
        pages={pages}
        caption={text.history}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noHistory} />}
        columns={[
          { title: text.status, cell: (each) => <Standing deployment={each} /> },
          {
            title: text.commit,
            cell: ({ sha }) => (
              <Link to={`/${fullName}/commit/${sha}`}>
                <code>{shortName(sha)}</code>
              </Link>
            ),
          },
          {
            title: text.run,
            cell: ({ pipeline: { number } }) => (
              <Link to={`/${fullName}/pipelines/${number}`}>#{number}</Link>
            ),
          },
          { title: text.job, wide: true, cell: ({ job }) => job.name },
          { title: text.by, cell: ({ actor }) => actor ?? text.nobody },
          { title: text.when, cell: (each) => <Time at={each.created_at} /> },
          { title: "", label: text.actions, cell: (each) => <RollBackButton deployment={each} /> },
        ]}
      />
    </Section>
  );
}

function Standing({ deployment }: { deployment: Deployment }) {
  return (
    <>
      <StatusMark status={deployment.status} />{" "}
      {deployment.is_current ? <Badge>{text.isCurrent}</Badge> : null}
      {deployment.rollback_to === null ? null : <Badge tone="plain">{text.isRollback}</Badge>}
    </>
  );
}

function RollBackButton({ deployment }: { deployment: Deployment }) {
  const repository = useRepository();
  const { id, environment, status, sha, pipeline } = deployment;
  const path = { ...useRepositoryPath(), name: environment, id };
  if (!mayRun(repository) || status !== "success") return null;
  return (
    <ConfirmButton
      label={text.rollBack}
      name={text.rollBackName(pipeline.number)}
      title={text.rollBackTitle(shortName(sha), environment)}
      said={text.rolledBack}
      kind="quiet"
      run={() =>
        api.POST("/repos/{owner}/{repo}/environments/{name}/deployments/{id}/rollback", { params: { path } })
      }
    >
      <p>{text.rollBackHint}</p>
    </ConfirmButton>
  );
}
