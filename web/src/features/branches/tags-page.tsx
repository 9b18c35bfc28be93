/** The tags of a repository, with everything at each of them as a download. */
import { Tag as TagMark } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { text } from "../../text/branches.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager, usePageNumber } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { shortName } from "../commits/commit-id.ts";
import { archiveAddress, commitAddress, fileAddress } from "../repositories/addresses.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { RefFields } from "./ref-fields.tsx";
import styles from "./refs.module.css";
import { refsPerPage, useTags } from "./use-refs.ts";

export function TagsPage() {
  const repository = useRepository();
  const tags = useTags(usePageNumber());
  return (
    <Page title={text.tags} within={repository.full_name} actions={canWrite(repository) ? <NewTag /> : null}>
      <QueryView query={tags} lines={6}>
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyState title={text.noTags}>{text.noTagsHint}</EmptyState>
          ) : (
            <>
              <ul className={styles.list}>
                {rows.map((tag) => (
                  <Row key={tag.id} tag={tag} />
                ))}
              </ul>
              <Pager total={total} perPage={refsPerPage} label={text.tagPages} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function NewTag() {
  const path = useRepositoryPath();
  return (
    <FormButton
      kind="primary"
      icon={<TagMark aria-hidden />}
      label={text.newTag}
      title={text.newTag}
      submit={text.create}
      said={text.tagCreated}
      run={({ name = "", ref = "", message = "" }) => {
        const body = { name, ref, ...(message.trim() === "" ? {} : { message }) };
        return api.POST("/repos/{owner}/{repo}/tags", { params: { path }, body });
      }}
    >
      {(problems) => (
        <>
          <RefFields problems={problems} />
          <TextArea
            name="message"
            label={text.tagMessage}
            hint={text.tagMessageHint}
            problem={problems["message"]}
          />
        </>
      )}
    </FormButton>
  );
}

function Row({ tag }: { tag: Schemas["Tag"] }) {
  const repository = useRepository();
  const { name, commit, message } = tag;
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <div className={styles.name}>
          <Link to={fileAddress(repository, "tree", { ref: name })}>{name}</Link>
          {tag.protected ? <Badge tone="plain">{text.protected}</Badge> : null}
        </div>
        {message === null ? null : <div className={styles.message}>{message.trim()}</div>}
        <div className={styles.soft}>
          <Link to={commitAddress(repository, commit.sha)} data-inline>
            <code>{shortName(commit.sha)}</code>
          </Link>
          , <Time at={tag.created_at} />
        </div>
      </div>
      <div className={styles.links}>
        <a
          href={archiveAddress(repository, "zipball", name)}
          download
          aria-label={text.archiveOf(name, ".zip")}
        >
          .zip
        </a>
        <a
          href={archiveAddress(repository, "tarball", name)}
          download
          aria-label={text.archiveOf(name, ".tar.gz")}
        >
          .tar.gz
        </a>
        {canWrite(repository) ? <DeleteTag name={name} /> : null}
      </div>
    </li>
  );
}

function DeleteTag({ name }: { name: string }) {
  const path = { ...useRepositoryPath(), name };
  return (
    <ConfirmButton
      kind="quiet"
      label={text.delete}
      name={text.deleteNamed(name)}
      title={text.deleteTag(name)}
      said={text.deleted(name)}
      run={() => api.DELETE("/repos/{owner}/{repo}/tags/{name}", { params: { path } })}
    >
      {text.deleteTagHint}
    </ConfirmButton>
  );
}
