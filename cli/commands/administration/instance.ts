/** `forgeline admin sign-up|mails|mail`. */
import { Argument, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

const words = { open: "open", closed: "closed", default: null } as const;

export function addInstanceCommands(admin: Command): void {
  admin
    .command("sign-up")
    .description("Show or set who may sign up")
    .addArgument(new Argument("[who]", "default: on localhost only").choices(["open", "closed", "default"]))
    .action(signUp);
  admin
    .command("mails")
    .description(
      "List the newest 100 mails of the last seven days; without a mail server, pass them on yourself",
    )
    .action(mails);
  admin.command("mail <id>").description("Show the text of a mail that has not been sent yet").action(mail);
}

async function signUp(
  who: keyof typeof words | undefined,
  _options: unknown,
  command: Command,
): Promise<void> {
  const { api, print } = await contextOf(command);
  const settings =
    who === undefined
      ? await valueOf(api.GET("/admin/settings"))
      : await valueOf(api.PATCH("/admin/settings", { body: { sign_up: words[who] } }));
  print(settings, () => `sign-up is ${settings.sign_up ?? "open on localhost only"}`);
}

async function mails(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const newest = await valueOf(api.GET("/admin/mails", { params: { query: { per_page: 100 } } }));
  const rows = newest.map((m) => [m.id, m.state, m.to, m.subject, m.created_at]);
  print(newest, () => renderList("mails", ["ID", "STATE", "TO", "SUBJECT", "CREATED"], rows));
}

async function mail(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET("/admin/mails/{id}", { params: { path: { id } } }));
  print(
    found,
    () => `To: ${found.to}\nSubject: ${found.subject}\n\n${found.text ?? "(sent; the text is gone)"}`,
  );
}
