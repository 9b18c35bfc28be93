/** A board: its columns, and what Maintain may change of it. */
import { useNavigate, useParams, useSearchParams } from "react-router";
import { $api, api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { fieldProblems, isNotFound } from "../../api/problem.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/boards.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { BoardColumns } from "./board-columns.tsx";
import { BoardFields, boardOf } from "./board-fields.tsx";
import { BoardFilter } from "./board-filter.tsx";
import { refreshMs } from "./refresh-ms.ts";
import { boardAddress, useColumn, type Board } from "./use-board.ts";

export function BoardPage() {
  const { id = "" } = useParams();
  const path = { ...useRepositoryPath(), id };
  const isSignedIn = useSession() !== null;
  const board = $api.useQuery(
    "get",
    boardAddress,
    { params: { path } },
    // Somebody may give it other columns, or rename a label.
    {
      refetchInterval: ({ state }) =>
        pollUnlessRefused(state.error, refreshMs({ isSignedIn, columns: state.data?.columns.length ?? 2 })),
    },
  );
  if (isNotFound(board.error)) return <NotFound />;
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
  // Each column answers the same to a filter that cannot be understood: it is told once.
  const { error } = useColumn(board, "open", q);
  const problem = fieldProblems(error)["q"];
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
      <BoardFilter q={q} problem={problem} />
      {problem === undefined ? <BoardColumns board={board} q={q} /> : null}
    </Page>
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
        run={(values) => api.PATCH(boardAddress, { params, body: boardOf(values) })}
      >
        {(problems) => <BoardFields board={board} problems={problems} />}
      </FormButton>
      <ConfirmButton
        label={text.remove}
        title={text.removeTitle(board.name)}
        said={text.removed}
        run={() => api.DELETE(boardAddress, { params })}
        gone={() => [board.id]}
        onDone={() => navigate(`/${fullName}/boards`)}
      >
        <p>{text.removeHint}</p>
      </ConfirmButton>
    </>
  );
}
