/** Confirms an e-mail address with the code of a mail; nobody has to be signed in. */
import { useMutation } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { queryClient } from "../../api/query-client.ts";
import { text } from "../../text/sign-in.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CodeField } from "./code-field.tsx";
import { useCodeOfAddress } from "./code-of-address.ts";
import { SignInLayout } from "./sign-in-layout.tsx";

export function VerifyEmailPage() {
  const code = useCodeOfAddress();
  const verify = useMutation({
    mutationFn: (token: string) => api.POST("/email-verifications", { body: { token } }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
  if (verify.isSuccess)
    return (
      <SignInLayout title={text.verifyTitle}>
        <Notice tone="good">{text.verifyDone}</Notice>
        <div>
          <ButtonLink to="/settings/emails" kind="primary">
            {text.toEmails}
          </ButtonLink>
        </div>
      </SignInLayout>
    );
  return (
    <SignInLayout title={text.verifyTitle} lead={text.verifyLead}>
      <Form
        submit={text.verifySubmit}
        state={verify}
        onSubmit={(values) => verify.mutate((values["token"] ?? "").trim())}
      >
        <CodeField code={code} problem={fieldProblems(verify.error)["token"]} />
      </Form>
    </SignInLayout>
  );
}
