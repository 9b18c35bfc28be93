/** The branches of a repository. */
import { GitBranch } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/branches.ts";
import { text as mergeRequests } from "../../text/merge-requests.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { titleOf } from "../commits/commit-message.ts";
import { proposalAddress } from "../merge-requests/addresses.ts";
import { commitAddress, compareAddress, fileAddress } from "../repositories/addresses.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { RefFields } from "./ref-fields.tsx";
import styles from "./refs.module.css";
import { refsPerPage, useBranches } from "./use-refs.ts";

export function BranchesPage() {
  const repository = useRepository();
  const branches = useBranches(usePageNumber());
  const isBegun = (branches.data?.total ?? 0) > 0;
  return (
    <Page
      title={text.branches}
      within={repository.full_name}
      actions={canWrite(repository) && isBegun ? <NewBranch /> : null}
    >
      <QueryView query={branches} lines={6}>
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyState
              title={text.noBranches}
              action={<Link to={`/${repository.full_name}`}>{text.howToPush}</Link>}
            />
          ) : (
            <>
              <ul className={styles.list}>
                {rows.map((branch) => (
                  <Row key={branch.id} branch={branch} />
                ))}
              </ul>
              <Pager total={total} perPage={refsPerPage} label={text.branchPages} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function NewBranch() {
  const path = useRepositoryPath();
  return (
    <FormButton
      kind="primary"
      icon={<GitBranch aria-hidden />}
      label={text.newBranch}
      title={text.newBranch}
      submit={text.create}
      said={text.branchCreated}
      run={({ name = "", ref = "" }) =>
        api.POST("/repos/{owner}/{repo}/branches", { params: { path }, body: { name, ref } })
      }
    >
      {(problems) => <RefFields problems={problems} />}
    </FormButton>
  );
}

function Row({ branch }: { branch: Schemas["Branch"] }) {
  const repository = useRepository();
  const { name, commit } = branch;
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>
          <Link to={fileAddress(repository, "tree", { ref: name })}>{name}</Link>
          {branch.default ? <Badge>{text.defaultBranch}</Badge> : null}
          {branch.protected ? <Badge tone="plain">{text.protected}</Badge> : null}
        </div>
        <div className={styles.soft}>
          <Link to={commitAddress(repository, commit.sha)} data-inline>
            {titleOf(commit.message)}
          </Link>
          , <Time at={branch.updated_at} />
        </div>
      </div>
      {branch.default ? null : (
        <div className={styles.links}>
          <Link
            to={compareAddress(repository, repository.default_branch, name)}
            aria-label={text.compareNamed(name)}
          >
            {text.compare}
          </Link>
          {canWrite(repository) ? (
            <>
              <Link
                to={proposalAddress(repository, { source: name })}
                aria-label={mergeRequests.createFor(name)}
              >
                {mergeRequests.createFrom}
              </Link>
              <DeleteBranch name={name} />
            </>
          ) : null}
        </div>
      )}
    </li>
  );
}

function DeleteBranch({ name }: { name: string }) {
  const path = { ...useRepositoryPath(), branch: name };
  return (
    <ConfirmButton
      kind="quiet"
      label={text.delete}
      name={text.deleteNamed(name)}
      title={text.deleteBranch(name)}
      said={text.deleted(name)}
      run={() => api.DELETE("/repos/{owner}/{repo}/branches/{branch}", { params: { path } })}
    >
      {text.deleteBranchHint}
    </ConfirmButton>
  );
}
