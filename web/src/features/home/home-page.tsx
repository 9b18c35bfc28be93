/** The start: what waits for oneself, and one's repositories; for visitors, what this is. */
import { Plus } from "lucide-react";
import { Link } from "react-router";
import { $api, api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/home.ts";
import { text as general } from "../../text/general.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Time } from "../../ui/time.tsx";
import { OpenImportRequests } from "../imports/open-import-requests.tsx";
import { OpenInvitations } from "../organizations/open-invitations.tsx";
import { LastRun } from "../pipelines/last-run.tsx";
import { RepositoryBadges } from "../repositories/repository-badges.tsx";
import { OpenTransfers } from "../repository-settings/open-transfers.tsx";
import { AwaitedReviews } from "../reviews/awaited-reviews.tsx";
import { AwaitedApprovals } from "../runs/awaited-approvals.tsx";
import styles from "./home-page.module.css";

export function HomePage() {
  return useSession() ? <OwnHome /> : <Welcome />;
}

function Welcome() {
  const { data: instance } = $api.useQuery("get", "/meta", {}, { staleTime: 60_000 });
  return (
    <Page title={text.welcome} lead={text.welcomeLead}>
      <RowActions>
        <ButtonLink to="/login" kind="primary">
          {general.signIn}
        </ButtonLink>
        {instance?.sign_up_open ? <ButtonLink to="/sign-up">{general.signUp}</ButtonLink> : null}
      </RowActions>
    </Page>
  );
}

function OwnHome() {
  const repositories = usePages(["own-repositories"], (query) =>
    api.GET("/user/repos", { params: { query } }),
  );
  return (
    <Page
      title={text.title}
      actions={
        <ButtonLink to="/new" kind="primary" icon={<Plus aria-hidden />}>
          {general.newRepository}
        </ButtonLink>
      }
    >
      <OpenInvitations />
      <OpenImportRequests />
      <OpenTransfers />
      <AwaitedReviews />
      <AwaitedApprovals />
      <Section title={text.repositories}>
        <PagedTable
          pages={repositories}
          caption={text.repositories}
          keyOf={(row) => row.id}
          empty={<FirstSteps />}
          columns={[
            {
              title: text.repository,
              wide: true,
              cell: (row) => (
                <div className={styles.repository}>
                  <Link to={`/${row.full_name}`}>{row.full_name}</Link>
                  {row.description === "" ? null : (
                    <span className={styles.description}>{row.description}</span>
                  )}
                </div>
              ),
            },
            { title: text.lastRun, cell: (row) => <LastRun repository={row} /> },
            { title: text.visibility, cell: (row) => <RepositoryBadges repository={row} /> },
            { title: text.changed, cell: (row) => <Time at={row.updated_at} /> },
          ]}
        />
      </Section>
    </Page>
  );
}

/** An account without a repository: what leads to the first run. */
function FirstSteps() {
  return (
    <EmptyState
      title={text.noRepositories}
      action={
        <ButtonLink to="/new" kind="primary">
          {general.newRepository}
        </ButtonLink>
      }
    >
      <ol className={styles.steps}>
        {text.firstSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </EmptyState>
  );
}
