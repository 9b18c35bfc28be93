/** A board: its columns, what narrows them, and what Maintain may change of it. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { useNavigate, useParams, useSearchParams } from "react-router";
import { $api, api } from "../../api/client.ts";
import { text } from "../../text/boards.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { BoardColumns } from "./board-columns.tsx";
import { BoardFields, boardOf } from "./board-fields.tsx";
import styles from "./board-page.module.css";
import type { Board } from "./use-board.ts";

const one = "/repos/{owner}/{repo}/boards/{id}";

export function BoardPage() {
  const { id = "" } = useParams();
  const path = { ...useRepositoryPath(), id };
  const board = $api.useQuery("get", one, { params: { path } });
  return (
    <QueryView query={board} lines={8}>
      {(found) => <Shown board={found} />}
    </QueryView>
  );
}

function Shown({ board }: { board: Board }) {
  const { full_name: fullName } = useRepository();
  const [query] = useSearchParams();
  const q = query.get("q") ?? "";
  return (
    <Page
      title={board.name}
      within={fullName}
      lead={board.filter === "" ? null : <code>{board.filter}</code>}
      actions={
        <>
          <ButtonLink to={`/${fullName}/boards`}>{text.title}</ButtonLink>
          {board.viewer_may.manage ? <Manage board={board} /> : null}
        </>
      }
    >
      <FilterForm key={q} q={q} />
      <BoardColumns board={board} q={q} />
    </Page>
  );
}

function FilterForm({ q }: { q: string }) {
  const [, setQuery] = useSearchParams();
  return (
    <form
      role="search"
      className={styles.filter}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get("q");
        setQuery(typeof typed === "string" && typed.trim() !== "" ? { q: typed.trim() } : {});
      }}
    >
      <TextField
        name="q"
        type="search"
        label={text.search}
        placeholder={text.searchHint}
        maxLength={maxQueryChars}
        defaultValue={q}
        autoCapitalize="off"
        spellCheck={false}
      />
    </form>
  );
}

function Manage({ board }: { board: Board }) {
  const { full_name: fullName } = useRepository();
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const params = { path: { ...path, id: board.id } };
  return (
    <>
      <FormButton
        label={text.edit}
        title={text.edit}
        submit={text.save}
        said={text.saved}
        run={(values) => api.PATCH(one, { params, body: boardOf(values) })}
      >
        {(problems) => <BoardFields board={board} problems={problems} />}
      </FormButton>
      <ConfirmButton
        label={text.remove}
        title={text.removeTitle(board.name)}
        said={text.removed}
        run={() => api.DELETE(one, { params })}
        gone={() => [board.id]}
        onDone={() => navigate(`/${fullName}/boards`)}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </>
  );
}
