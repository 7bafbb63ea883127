"""``bugloss serve``: the web application and the REST API, and the tokens of its users."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bugloss.core.errors import EnvironmentFailure, InvalidInput, MissingExtra
from bugloss.show.cli.options import EngineOption, JsonOption, SchedulerOption

if TYPE_CHECKING:
    from bugloss.record.store.opening import Store
    from bugloss.record.store.tokens import Role
    from bugloss.show.api.settings import ServerSettings

app = typer.Typer(add_completion=False, help="Start the web application and the REST API.")

DatabaseOption = Annotated[
    str, typer.Option("--database", help="URL of the database. Default: a SQLite file in the work folder.")
]
WorkOption = Annotated[
    Path, typer.Option("--work", help="Folder of the server: jobs, their files, the SQLite database.")
]
DEFAULT_WORK = Path(".bugloss", "server")
tokens = typer.Typer(no_args_is_help=True, add_completion=False, help="Create, list and revoke tokens of a server.")
app.add_typer(tokens, name="token")


@app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on. Any but this machine's own requires tokens.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 for a free one.")] = 8765,
    database: DatabaseOption = "",
    work: WorkOption = DEFAULT_WORK,
    require_tokens: Annotated[bool, typer.Option("--tokens", help="Require tokens on this machine too.")] = False,
    run: Annotated[bool, typer.Option("--run/--no-run", help="Whether programs may be run, sandboxed.")] = True,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, max=64, help="Number of jobs at once.")] = 2,
    repository: Annotated[
        list[Path] | None, typer.Option("--repository", help="A git repository that localize may read; repeatable.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", help="A host name under which browsers reach it; repeatable.")
    ] = None,
    engine: EngineOption = "local",
    scheduler: SchedulerOption = None,
    json: JsonOption = False,
) -> int:
    """Start the web application and the REST API on this machine, and print the address.

    Jobs are queued and survive a restart. Stop the server with Ctrl-C. With --host 0.0.0.0 others reach it: they need
    tokens, which `bugloss serve token create` makes.
    """
    if context.invoked_subcommand is not None:
        return 0
    _require_web()
    from bugloss.show.api.settings import ServerLimits, ServerSettings

    settings = ServerSettings(
        database=database,
        host=host,
        port=port,
        work=work,
        allow_run=run,
        require_tokens=require_tokens or host not in {"127.0.0.1", "::1", "localhost"},
        repositories=tuple(path.resolve() for path in repository or ()),
        hosts=tuple(name or ()),
        engine=engine,
        scheduler=scheduler,
        limits=ServerLimits(jobs_at_once=jobs),
    )
    return _listen(settings, json)


def _require_web() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "sqlalchemy", "alembic")):
        raise MissingExtra("web", "bugloss serve")


def _listen(settings: ServerSettings, json: bool) -> int:
    import socket

    from bugloss.show.api.serving import address_of, bind, serve_on

    for repository in settings.repositories:
        if not repository.is_dir():
            raise InvalidInput(f"{repository} is not a folder.", hint="--repository takes a git repository.")
    try:
        listening: socket.socket = bind(settings)
    except OSError as error:
        hint = f"Choose another port: bugloss serve --port {settings.port + 1}"
        raise EnvironmentFailure(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror or error}.", hint=hint
        ) from error
    address = address_of(settings, listening)

    def announce() -> None:
        if json:
            from bugloss.show.cli.output import print_json

            print_json("server", {"address": address})
        else:
            print(f"bugloss is at {address}  (Ctrl-C stops it)")
        sys.stdout.flush()

    serve_on(settings, listening, announce)
    return 0


@tokens.command("create")
def create_token(
    role: Annotated[
        str, typer.Option("--role", help="reader (look and ask), runner (start jobs), reviewer (decide) or admin.")
    ],
    name: Annotated[str, typer.Option("--name", help="Whose it is.")] = "",
    days: Annotated[
        float | None, typer.Option("--days", min=0.01, help="Valid for so many days. Default: no end.")
    ] = None,
    database: DatabaseOption = "",
    work: WorkOption = DEFAULT_WORK,
    json: JsonOption = False,
) -> None:
    """Create a token and print it: it cannot be shown again, because only a digest is stored."""
    store, roles = _open_tokens(database, work)
    if role not in roles:
        raise InvalidInput(f"there is no role '{role}'.", hint=f"Known: {', '.join(roles)}.")
    record, text = store.tokens.create(name, roles[role], days)
    store.close()
    if json:
        from bugloss.show.cli.output import print_json

        print_json("token", {"id": record.id, "name": record.name, "role": record.role, "token": text})
    else:
        print(text)


@tokens.command("list")
def list_tokens(database: DatabaseOption = "", work: WorkOption = DEFAULT_WORK, json: JsonOption = False) -> None:
    """List tokens: id, role, name, state."""
    from bugloss.show.cli.columns import show_columns
    from bugloss.show.cli.output import print_json

    store, _ = _open_tokens(database, work)
    found = store.tokens.all()
    store.close()
    if json:
        print_json("tokens", {"tokens": found})
    elif found:
        rows = [(one.id, one.role.value, one.name, "revoked" if one.revoked_at else "valid") for one in found]
        show_columns(("id", "role", "name", "state"), rows)
    else:
        print("no tokens")


@tokens.command("revoke")
def revoke_token(
    token: Annotated[str, typer.Argument(metavar="ID", help="The id of a token; see: bugloss serve token list")],
    database: DatabaseOption = "",
    work: WorkOption = DEFAULT_WORK,
    json: JsonOption = False,
) -> None:
    """Revoke a token: requests and sessions with it are refused from now on."""
    from bugloss.show.cli.output import print_json

    store, _ = _open_tokens(database, work)
    record = store.tokens.revoke(token)
    store.close()
    if json:
        print_json("token", {"id": record.id, "name": record.name, "role": record.role})
    else:
        print(f"revoked {record.id}")


def _open_tokens(database: str, work: Path) -> tuple[Store, dict[str, Role]]:
    _require_web()
    from bugloss.record.store.opening import open_store
    from bugloss.record.store.tokens import Role
    from bugloss.show.api.settings import ServerSettings

    settings = ServerSettings(database=database, work=work)
    return open_store(settings.database_url), {role.value: role for role in Role}
