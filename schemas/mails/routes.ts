/** The outbox of the instance. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { Mail } from "./resource.ts";

export const listMails = route({
  id: "listMails",
  method: "get",
  path: "/admin/mails",
  tag: "administration",
  summary: "Mails of the last seven days, newest first",
  description:
    "Without a mail server this is how an administrator gets verification and reset mails to their users.",
  access: "instance_admin",
  scope: "org:admin",
  query: PageQuery,
  status: 200,
  response: z.array(Mail),
  paginated: true,
  errors: [],
});

export const getMail = route({
  id: "getMail",
  method: "get",
  path: "/admin/mails/:id",
  tag: "administration",
  summary: "One mail",
  access: "instance_admin",
  scope: "org:admin",
  params: z.strictObject({ id: idOf("mail") }),
  status: 200,
  response: Mail,
  errors: [],
});
