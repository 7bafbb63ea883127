"""The way back of a value: one step at a time, from a use to the literal or call that made it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from bugloss.source.origins.arguments import default_of, is_method, passed, positions_of
from bugloss.source.origins.attributes import (
    chosen_store,
    class_member,
    fields_of,
    is_property,
    own_stores,
    owner_of,
    stored_before,
)
from bugloss.source.origins.bindings import FUNCTIONS, Binding, binding_of, names_of
from bugloss.source.origins.callers import CALLED_AS_OBJECT, calls_of
from bugloss.source.origins.literals import part_of
from bugloss.source.origins.parts import EACH, Wanted, attribute, item_of
from bugloss.source.origins.passed_on import fallback_of, passed_on, returned_object
from bugloss.source.origins.place import PlaceKind
from bugloss.source.origins.settings import (
    holds_settings,
    key_of,
    option_default,
    reads_settings,
    setting,
)
from bugloss.source.origins.sought import CallEntry, Definition, Function, Sought
from bugloss.source.project import Project
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, receiver_of, walk_here

_MOST_STEPS = 600  # of one question, with all that is looked up on the way
_LONGEST, _DEEPEST = 40, 24
_ELEMENT_METHODS = ("__getitem__", "__iter__")
Line = tuple[str, int]


T = TypeVar("T")
P = ParamSpec("P")


def _bounded(find: Callable[Concatenate[Tracer, P], T | None]) -> Callable[Concatenate[Tracer, P], T | None]:
    """A method that finds nothing once a question has become too deep: names and classes may lead in circles."""

    @wraps(find)
    def found(self: Tracer, /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        if self._depth > _DEEPEST:
            return None
        self._depth += 1
        try:
            return find(self, *args, **kwargs)
        finally:
            self._depth -= 1

    return found


class Tracer:
    """Answers one question about a program; ``via`` are lines that are known to have been on the call stack."""

    def __init__(self, project: Project, via: Collection[Line] = ()) -> None:
        self._project = project
        self._via = frozenset(via)
        self._left = _MOST_STEPS
        self._depth = 0

    def follow(self, sought: Sought) -> list[Sought]:
        """The steps back from a use; those inside one expression that lead nowhere are left out at the end."""
        chain, seen = [sought], {sought.key}
        while self._left > 0 and len(chain) < _LONGEST:
            self._left -= 1
            following = self._next(chain[-1])
            if following is None or following.key in seen:
                break
            seen.add(following.key)
            chain.append(following)
        return chain

    @_bounded
    def _next(self, sought: Sought) -> Sought | None:
        step = _STEPS.get(type(sought.node))
        return part_of(sought) if step is None else step(self, sought)

    def defined(self, sought: Sought) -> Definition | None:
        """The function or class of the program that an expression stands for, or whose object it is."""
        found = self._definition(sought)
        return None if found is None else found[1]

    @_bounded
    def _definition(self, sought: Sought) -> tuple[Sought, Definition, bool] | None:
        """Where something is defined, with the calls on the way there; and whether it is an object of that class."""
        end = self.follow(sought)[-1]
        if end.wanted:
            return None
        if isinstance(end.node, Definition):
            return end, end.node, False
        if isinstance(end.node, ast.Call):
            returned = returned_object(end.node)
            if returned is not None:
                return self._definition(end.part(returned, ()))
            made = self._definition(end.part(end.node.func, ()))
            if made is not None and isinstance(made[1], ast.ClassDef) and not made[2]:
                return self._made(made[0], made[1], end), made[1], True
        return None

    def _made(self, cls: Sought, owner: ast.ClassDef, call: Sought) -> Sought:
        """The class, entered by the call that makes an object of it."""
        assert isinstance(call.node, ast.Call)
        member = self._member(cls, owner, "__init__")
        entered = member.node if member is not None and isinstance(member.node, Function) else owner
        entry = CallEntry(entered, call.node, call.module, call.entries)
        return replace(cls, entries=(*cls.entries, entry))

    # Names

    def _name(self, sought: Sought) -> Sought | None:
        assert isinstance(sought.node, ast.Name)
        binding = binding_of(sought.module, sought.node.id, sought.node)
        if binding is None:
            return self._by_setting(sought, holds_settings(sought.node.id))
        return self._bound(sought, binding, sought.node.id)

    def _bound(self, sought: Sought, binding: Binding, name: str) -> Sought | None:
        if binding.value is not None:
            wanted = (*binding.wanted, *sought.wanted)
            return sought.at(binding.value, wanted, binding.kind, certain=binding.certain)
        if isinstance(binding.node, ast.arg):
            return self._parameter(sought, binding.node)
        if isinstance(binding.node, ast.Import | ast.ImportFrom):
            return self._imported(sought, binding.node, name)
        return sought.at(binding.node, sought.wanted, binding.kind, certain=binding.certain)

    @_bounded
    def _imported(self, sought: Sought, node: ast.Import | ast.ImportFrom, name: str) -> Sought | None:
        """On in another file of the program."""
        other = self._project.imported_from(sought.module, node)
        if other is not None:
            original = next((alias.name for alias in node.names if (alias.asname or alias.name) == name), name)
            found = names_of(other, other.tree).get(original)
            if found:
                return self._bound(replace(sought, module=other), found[-1], original)
        whole = self._project.imported(sought.module, node, name)
        key = sought.wanted[0] if sought.wanted and sought.wanted[0].attribute else None
        if whole is None or key is None:
            return None
        found = names_of(whole, whole.tree).get(str(key.key))
        return self._bound(replace(sought, module=whole, wanted=sought.wanted[1:]), found[-1], "") if found else None

    # Parameters

    def _parameter(self, sought: Sought, parameter: ast.arg) -> Sought | None:
        function = sought.module.enclosing(parameter, *FUNCTIONS)
        if not isinstance(function, Function):
            return None
        if is_method(sought.module, function) and parameter is next(
            iter((*function.args.posonlyargs, *function.args.args)), None
        ):
            owner = sought.module.parents[function]
            return self._attribute_of(sought, owner, sought.node) if isinstance(owner, ast.ClassDef) else None
        name, wanted = parameter.arg, sought.wanted
        if parameter in (function.args.kwarg, function.args.vararg):
            key = wanted[0].key if wanted else None
            name, wanted = (key, wanted[1:]) if isinstance(key, str) else (name, wanted)
        entry = sought.entry_of(function)
        if entry is not None:
            return self._from_call(sought, function, name, wanted, entry) or self._default(sought, function, name)
        return (
            self._from_callers(sought, function, name, wanted)
            or self._default(sought, function, name)
            or self._by_setting(sought, holds_settings(name))
        )

    def _from_call(
        self, sought: Sought, function: Function, name: str, wanted: Wanted, entry: CallEntry
    ) -> Sought | None:
        given = passed(entry.call, positions_of(sought.module, function), name)
        if given is None:
            return None
        node, parts = given
        return Sought(entry.module, node, (*parts, *wanted), entry.before, PlaceKind.PASSED, sought.certain)

    def _from_callers(self, sought: Sought, function: Function, name: str, wanted: Wanted) -> Sought | None:
        """What the calls of a function pass: the only value, that of a call on the stack, else the first one."""
        values: list[tuple[Sought, ast.Call]] = []
        for module, call in calls_of(self._project, sought.module, function, self.defined):
            given = self._from_call(sought, function, name, wanted, CallEntry(function, call, module))
            if given is not None:
                values.append((given, call))
        if not values:
            return None
        if len({given.place.text for given, _ in values}) == 1:
            return values[0][0]
        for given, call in values:
            if self._is_on_stack(given.module, call):
                return given
        default = self._default(sought, function, name)
        return replace(default or values[0][0], certain=False)

    def _is_on_stack(self, module: SourceModule, call: ast.Call) -> bool:
        return any((module.path, line) in self._via for line in range(call.lineno, (call.end_lineno or 0) + 1))

    def _default(self, sought: Sought, function: Function, name: str) -> Sought | None:
        default = default_of(function, name)
        return None if default is None else sought.at(default, sought.wanted, PlaceKind.DEFAULT)

    # Attributes and elements

    def _attribute(self, sought: Sought) -> Sought | None:
        node = sought.node
        assert isinstance(node, ast.Attribute)
        is_self = isinstance(node.value, ast.Name) and owner_of(sought.module, node.value) is not None
        stored = None if is_self else stored_before(sought.module, node)
        if stored is not None:
            return self._bound(sought, stored, node.attr)
        return sought.part(node.value, (attribute(node.attr), *sought.wanted))

    def _subscript(self, sought: Sought) -> Sought | None:
        node = sought.node
        assert isinstance(node, ast.Subscript)
        stored = stored_before(sought.module, node)
        if stored is not None:
            return self._bound(sought, stored, "")
        part = item_of(node.slice)
        return None if part is None else sought.part(node.value, (part, *sought.wanted))

    def _class(self, sought: Sought) -> Sought | None:
        assert isinstance(sought.node, ast.ClassDef)
        return self._attribute_of(sought, sought.node, None)

    def _attribute_of(self, sought: Sought, owner: ast.ClassDef, use: ast.AST | None) -> Sought | None:
        """An attribute of an object, or what its elements are."""
        if not sought.wanted:
            return None
        first, *rest = sought.wanted
        if not first.attribute:
            return self._elements(sought, owner)
        name, inner = str(first.key), replace(sought, wanted=tuple(rest))
        stored = chosen_store(sought.module, own_stores(sought.module, owner, name), use)
        if stored is not None:
            return self._bound(inner, stored, name)
        if name in fields_of(sought.module, owner):
            given = self._field(inner, owner, name)
            if given is not None:
                return given
        found = self._member(sought, owner, name)
        if found is None:
            return None
        if is_property(found.node) and isinstance(found.node, Function):
            return self._returned(replace(found, wanted=inner.wanted), found.node)
        return replace(found, wanted=(*found.wanted, *inner.wanted))

    def _field(self, sought: Sought, owner: ast.ClassDef, name: str) -> Sought | None:
        """What the constructor of a data class is given for a field."""
        fields, entry = fields_of(sought.module, owner), sought.entry_of(owner)
        calls = calls_of(self._project, sought.module, owner, self.defined) if entry is None else ()
        ways = [entry] if entry else [CallEntry(owner, call, module) for module, call in calls]
        given = [(one, passed(one.call, fields, name)) for one in ways]
        found = [(one, value) for one, value in given if value is not None]
        if len(found) != 1:
            return None
        one, (node, parts) = found[0]
        return Sought(one.module, node, (*parts, *sought.wanted), one.before, PlaceKind.PASSED, sought.certain)

    @_bounded
    def _member(self, sought: Sought, owner: ast.ClassDef, name: str) -> Sought | None:
        """What a class, or one that it inherits from, binds to a name."""
        member = class_member(sought.module, owner, name)
        if member is not None:
            return self._bound(replace(sought, wanted=()), replace(member, kind=PlaceKind.ATTRIBUTE), name)
        for base in owner.bases:
            found = self._definition(replace(sought, node=base, wanted=()))
            if found is not None and isinstance(found[1], ast.ClassDef) and found[1] is not owner:
                if own_stores(found[0].module, found[1], name):
                    inherited = replace(found[0], wanted=(attribute(name),), entries=sought.entries)
                    return self._attribute_of(inherited, found[1], None)
                return self._member(replace(found[0], entries=sought.entries), found[1], name)
        return None

    def _elements(self, sought: Sought, owner: ast.ClassDef) -> Sought | None:
        for name in _ELEMENT_METHODS:
            method = self._member(sought, owner, name)
            if method is not None and isinstance(method.node, Function):
                wanted = sought.wanted if name == "__iter__" else sought.wanted[1:]
                return self._returned(replace(method, wanted=wanted), method.node)
        return None

    # Calls

    def _call(self, sought: Sought) -> Sought | None:
        call = sought.node
        assert isinstance(call, ast.Call)
        callee = self._definition(sought.part(call.func, ()))
        if callee is None:
            return self._by_library(sought, call)
        where, definition, is_object = callee
        if isinstance(definition, ast.ClassDef) and not is_object:
            return self._attribute_of(
                self._made(replace(where, wanted=sought.wanted), definition, sought), definition, None
            )
        if isinstance(definition, ast.ClassDef):
            methods = (self._member(where, definition, name) for name in CALLED_AS_OBJECT)
            method = next((one for one in methods if one is not None and isinstance(one.node, Function)), None)
            return None if method is None else self._entered(method, sought, call)
        return self._entered(where, sought, call)

    def _entered(self, where: Sought, sought: Sought, call: ast.Call) -> Sought | None:
        """Into a function, by a call: on with what it returns."""
        function = where.node
        if not isinstance(function, Function) or where.entry_of(function) or sought.entry_of(function):
            return None
        entry = CallEntry(function, call, sought.module, sought.entries)
        certain = sought.certain and where.certain
        inner = replace(where, wanted=sought.wanted, entries=(*where.entries, entry), certain=certain)
        return self._returned(inner, function)

    def _returned(self, sought: Sought, function: Function) -> Sought | None:
        """What a function returns in the end; what it yields where its elements are wanted."""
        if isinstance(function, ast.Lambda):
            return sought.at(function.body, sought.wanted, PlaceKind.RETURNED)
        nodes = list(walk_here(function.body))
        yields = [node for node in nodes if isinstance(node, ast.Yield) and node.value is not None]
        if yields and sought.wanted[:1] == (EACH,):
            return _last_of(sought, yields, sought.wanted[1:])
        returns = [node for node in nodes if isinstance(node, ast.Return) and not _is_nothing(node.value)]
        return _last_of(sought, returns, sought.wanted)

    def _by_library(self, sought: Sought, call: ast.Call) -> Sought | None:
        if _is_super(call):
            return self._super(sought, call)
        if reads_settings(call):
            return self._by_setting(sought, likely=True)
        given = passed_on(call, sought.wanted)
        if given is None:
            return None
        fallback = fallback_of(call)
        if fallback is not None:
            found = self.follow(sought.part(*given))[-1]
            if found.inside or found.wanted:
                return sought.at(fallback, sought.wanted, PlaceKind.DEFAULT)
        return replace(sought.part(*given), kind=PlaceKind.PASSED_ON, inside=given[0] is receiver_of(call))

    def _super(self, sought: Sought, call: ast.Call) -> Sought | None:
        """``super()`` is an object of the class above."""
        owner = sought.module.enclosing(call, ast.ClassDef)
        for base in owner.bases if isinstance(owner, ast.ClassDef) else ():
            found = self._definition(sought.part(base, ()))
            if found is not None and isinstance(found[1], ast.ClassDef):
                return self._attribute_of(replace(found[0], wanted=sought.wanted), found[1], None)
        return None

    def _by_setting(self, sought: Sought, likely: bool) -> Sought | None:
        """By the name of the setting alone, where the object that holds it cannot be followed."""
        name = key_of(sought.wanted)
        if name is None:
            return None
        modules = [sought.module, *(other for other in self._project.modules() if other is not sought.module)]
        for find in (option_default, setting) if likely else (option_default,):
            for module in modules:
                for value in find(module, name):
                    where = replace(sought, module=module, entries=())
                    return where.at(value, sought.wanted[1:], PlaceKind.SETTING, certain=find is option_default)
        return None


def _last_of(sought: Sought, found: Sequence[ast.Return | ast.Yield], wanted: Wanted) -> Sought | None:
    """The last way out: what comes before is a guard, as a rule."""
    last = max(found, key=lambda node: node.lineno, default=None)
    if last is None or last.value is None:
        return None
    return sought.at(last.value, wanted, PlaceKind.RETURNED, certain=len(found) == 1)


def _is_nothing(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _is_super(call: ast.Call) -> bool:
    return method_of(call) == "super" and isinstance(call.func, ast.Name)


_STEPS = {
    ast.Name: Tracer._name, ast.Attribute: Tracer._attribute, ast.Subscript: Tracer._subscript,
    ast.ClassDef: Tracer._class, ast.Call: Tracer._call,
}  # fmt: skip
