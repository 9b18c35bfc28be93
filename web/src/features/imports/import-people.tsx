/** Who wrote or is assigned what came and has no account here, and naming them. Nothing where there is nobody. */
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/import-people.ts";
import { FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { formatCount } from "../../ui/size.ts";

/** `version` changes when somebody new may have come. */
export function ImportPeople({ id, version }: { id: string; version: string }) {
  const pages = usePages(["import-people", id, version], (query) =>
    api.GET("/imports/{id}/people", { params: { path: { id }, query } }),
  );
  return (
    <Section title={text.title} lead={text.lead}>
      <PagedTable
        pages={pages}
        caption={text.title}
        keyOf={({ login }) => login}
        empty={null}
        columns={[
          { title: text.there, wide: true, cell: ({ login }) => login },
          { title: text.texts, cell: ({ texts }) => formatCount(texts) },
          { title: text.asked, cell: ({ asked }) => asked },
          {
            title: "",
            label: text.actions,
            cell: ({ login, asked }) => (asked === null ? <NameButton id={id} login={login} /> : null),
          },
        ]}
      />
    </Section>
  );
}

function NameButton({ id, login }: { id: string; login: string }) {
  return (
    <FormButton
      label={text.name}
      name={text.nameOf(login)}
      title={text.nameTitle(login)}
      lead={text.nameLead}
      said={text.said}
      run={({ username = "" }) =>
        api.POST("/imports/{id}/people", { params: { path: { id } }, body: { login, username } })
      }
    >
      {(problems) => (
        <TextField
          name="username"
          label={text.username}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={100}
          required
          problem={problems["username"] ?? problems["login"]}
        />
      )}
    </FormButton>
  );
}
