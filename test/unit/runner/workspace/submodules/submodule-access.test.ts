import { accessTo } from "@forgeline/runner/workspace/submodules/submodule-access.ts";
import { expect, it } from "vitest";

const own = {
  baseEnv: { PATH: "/bin" },
  url: "https://10.0.0.2:8443/team/app.git",
  token: "svc_job_secret",
  caFile: "/ca.pem",
};
const servers = {
  own,
  publicUrl: "https://forge.example/team/app.git",
  egress: { mode: "filter", allow: ["10.9.8.7:443"] },
} as const;
const at =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses);
const nobody = () => Promise.reject(new Error("nobody is to be asked"));

it.each(["https://forge.example/other/lib.git", "https://10.0.0.2:8443/other/lib.git"])(
  "%s is on this server, reached as the repository is, with the job's token",
  async (url) => {
    const access = await accessTo(new URL(url), servers, nobody);
    expect(access).toEqual({ ...own, url: "https://10.0.0.2:8443/other/lib.git" });
  },
);

it.each(["http://forge.example/a", "https://forge.example:444/a", "https://forge.example.org/a"])(
  "%s is another server, which gets no token and is not looked for twice",
  async (text) => {
    const url = new URL(text);
    const access = await accessTo(url, servers, at("192.0.2.0", "8.8.8.8", "2606:4700::1").bind(null)).catch(
      String,
    );
    expect(access).toContain("192.0.2.0) is not in the Internet");
    const open = await accessTo(url, servers, at("8.8.8.8", "2606:4700::1"));
    const port = url.port || (url.protocol === "http:" ? "80" : "443");
    expect(open).toEqual({
      baseEnv: own.baseEnv,
      url: text,
      token: null,
      caFile: null,
      pinned: `${url.hostname}:${port}:8.8.8.8,[2606:4700::1]`,
    });
  },
);

it.each([
  ["169.254.169.254", "https://metadata.example/a"],
  ["127.0.0.1", "http://localhost/a"],
  ["10.9.8.7", "http://10.9.8.7/a"],
  ["::1", "https://[::1]/a"],
])("%s is no address for %s", async (address, url) => {
  await expect(accessTo(new URL(url), servers, at(address))).rejects.toThrow("is not in the Internet");
});

it("allows what the operator does, and everything where nothing is filtered", async () => {
  const url = new URL("https://10.9.8.7/a");
  expect(await accessTo(url, servers, at("10.9.8.7"))).not.toHaveProperty("pinned");
  const open = { ...servers, egress: { mode: "open", allow: [] } } as const;
  expect(await accessTo(new URL("http://localhost/a"), open, nobody)).toMatchObject({ token: null });
});

it("says so where a name cannot be resolved", async () => {
  const unknown = accessTo(new URL("https://nowhere.example/a"), servers, at());
  await expect(unknown).rejects.toThrow("the runner cannot resolve nowhere.example");
});
