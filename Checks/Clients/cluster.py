"""A PostgreSQL cluster for one check, in a temporary folder; it can be reached only by a socket in that folder."""
import os, pathlib, pwd, shutil, subprocess, tempfile


class Cluster:
    """`with Cluster() as cluster`: a server, until the end of the block. It does not run as root."""

    def __init__(self, **settings):
        self.programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sealed-push-"))
        self.settings = {"unix_socket_directories": self.folder, "listen_addresses": "", **settings}

    def __enter__(self):
        self.owner = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.owner:
            os.chown(self.folder, self.owner.pw_uid, self.owner.pw_gid)
        try:
            self.run("initdb", "--pgdata=data", "--username=postgres", "--encoding=UTF8", "--locale=C.UTF-8",
                     "--auth=trust", "--no-sync", "--no-instructions")
            with open(self.folder / "data/postgresql.conf", "a") as file:
                file.writelines(f"{name} = '{value}'\n" for name, value in self.settings.items())
            self.run("pg_ctl", "start", "--wait", "--pgdata=data", "--log=log")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "stop", "--mode=immediate", "--pgdata=data", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program, *words, check=True):
        who = {"user": self.owner.pw_uid, "group": self.owner.pw_gid, "extra_groups": []} if self.owner else {}
        subprocess.run([self.programs / program, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, check=check, **who)

    def address(self, database="postgres"):
        """The connection string of a database, for libpq's programs."""
        return f"postgresql://postgres@/{database}?host={self.folder}"
