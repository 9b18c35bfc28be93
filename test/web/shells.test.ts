/** Of the page of a run: a terminal in a job, and a job that is kept open for one. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import type { ApiServer, TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { shellPlace } from "../support/shell-place.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { startAsAda, stopAsAda } from "../support/web/start-as-ada.ts";
import type { Visitor } from "../support/web/visitor.ts";

describe("shells in jobs", () => {
  let server: ApiServer;
  let browser: Browser;
  let person: TestPerson;
  let ada: Visitor;

  beforeAll(async () => {
    ({ server, browser, person, ada } = await startAsAda());
  });
  afterAll(async () => {
    await stopAsAda({ browser, server });
  });

  const shellOf = () =>
    eventually(async () => {
      const row = await server.container.platform.db.one<{ id: string }>(
        "select id from shells where state = 'connected'",
      );
      return row?.id;
    });

  test("run in a terminal that shows colours, takes what is typed, and says how it ended", async () => {
    const place = await shellPlace(server, person, { name: "terminal" });
    await ada.goto(place.run.path);
    await ada.page.getByRole("button", { name: "Open a shell" }).click();
    const dialog = ada.page.getByRole("dialog");
    await dialog.getByText("Opening the shell").waitFor();
    const runner = await place.serve(await shellOf());
    runner.send({ t: "ready" });
    runner.show("\u001B[38;2;10;200;90mgreen\u001B[0m \u001B[31mred\u001B[0m $ ");
    await dialog.getByText("green").waitFor();
    await ada.page.keyboard.type("ls -l");
    await ada.page.keyboard.press("Enter");
    await eventually(() => runner.typed() === "ls -l\r");
    runner.show("ls -l\r\ntotal 0\r\n");
    await dialog.getByText("total 0").waitFor();
    const colour = await ada.page.evaluate(
      `getComputedStyle([...document.querySelectorAll("dialog span")].find((one) => one.textContent === "green")).color`,
    );
    expect(colour).toBe("rgb(10, 200, 90)");
    expect(ada.troubles).toEqual([]);
    await ada.page.keyboard.press("Shift+Tab");
    await ada.page.waitForFunction(`document.activeElement?.tagName !== "TEXTAREA"`);
    runner.send({ t: "exited", exitCode: 3, message: null });
    await dialog.getByText("The shell ended with exit code 3.").waitFor();
    await dialog.getByRole("button", { name: "Open another shell" }).waitFor();
    await lookAtPage(ada);
    await dialog.getByRole("button", { name: "Close the shell" }).click();
    await ada.page.getByText("Recorded shell 1").waitFor();
  });

  test("can be had after a failure, where that is asked for", async () => {
    const place = await shellPlace(server, person, { name: "kept" });
    await ada.goto(place.run.path);
    await ada.page.getByRole("button", { name: "Keep open if it fails" }).click();
    await ada.page.getByRole("button", { name: "Do not keep open" }).waitFor();
    const { db } = server.container.platform;
    await db.query(
      "update job_attempts set kept_until = now() + interval '50 minutes' where pipeline_id = $1",
      [place.run.id],
    );
    await db.transaction((tx) => tx.notify("run", place.run.id));
    await ada.goto(place.run.path);
    await ada.page.getByText("Its container is kept open for a shell until").first().waitFor();
    await lookAtPage(ada);
    await ada.page.getByRole("button", { name: "End now" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "End now" }).click();
    await eventually(async () => {
      const job = await db.one<{ keep_open: boolean }>("select keep_open from jobs where pipeline_id = $1", [
        place.run.id,
      ]);
      return job?.keep_open === false;
    });
  });
});
