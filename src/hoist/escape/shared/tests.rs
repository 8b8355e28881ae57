//! Many classes that come to one place are told as each of them alone.

use rustpython_ast::AnyNodeRef;

use crate::hoist::class_traits::ClassTraits;
use crate::hoist::constants::CallNames;
use crate::hoist::escape::Tracker;
use crate::hoist::factory::per_call;
use crate::hoist::facts::LateFacts;
use crate::hoist::layout::Layout;
use crate::hoist::module::Module;
use crate::python::Source;
use crate::python::source::read;
use crate::rule::{judge, registry};

/// What may be done with the classes of [`module`], each in a line of its own.
const USES: [&str; 30] = [
    "pass",
    "P(1)",
    "print(P)",
    "P.x",
    "P.z = 1",
    "P.__name__",
    "register(P)",
    "isinstance(self, P)",
    "return P",
    "yield self.k",
    "del P",
    "Q = P",
    "Q(1)",
    "register(Q)",
    "P = Q",
    "self.k = P",
    "self.m = self.k",
    "self.k(1)",
    "register(self.k)",
    "register(self.m)",
    "self.k.z = 1",
    "k = self.k",
    "register(k)",
    "self.f()(1)",
    "register(self.f())",
    "register(self.p)",
    "for P in self.f(): P(1)",
    "while self: P = self.p",
    "def g(): return P",
    "if self: P = None",
];

/// A module in which several classes come to the attribute `k`, the names `P` and the methods `f` and `p`.
fn module([first, second, third]: [&str; 3]) -> String {
    format!(
        "\
from collections import namedtuple, namedtuple as nt
class A:
    def f(self, Q=None):
        P = namedtuple('A', 'x')
        {first}
        {second}
        P = namedtuple('B', 'x')
        {third}
    @property
    def p(self):
        self.k = P = namedtuple('C', 'x')
        {second}
        return self.k
class B:
    def f(self):
        self.k = namedtuple('D', 'x')
        {third}
        if self:
            P = namedtuple('E', 'x')
        else:
            P = namedtuple('F', 'x')
            {first}
        {second}
    def h(self, k, Q):
        for P in self:
            P = namedtuple('G', 'x')
            {first}
            P = namedtuple('H', 'x')
            {third}
        return self.f()
"
    )
}

/// Compares what becomes of each class in turn with what becomes of it alone.
#[track_caller]
fn check(text: &str) {
    let compare = |source: &Source<'_>| {
        let layout = Layout::new(source.text, source.nodes, source.tokens);
        let module = Module {
            layout: &layout,
            text: source.text,
            tokens: source.tokens,
            nodes: source.nodes,
            model: source.model,
            registry: registry().unwrap(),
            package: "",
        };
        let facts = LateFacts::of(module);
        let calls = per_call(&module);
        assert_eq!(calls.len(), 8, "{text}");
        for (call, factory) in calls {
            let names = CallNames {
                module: &module,
                facts: &facts,
                factory: factory.factory,
                call,
                depth: 0,
            };
            let AnyNodeRef::ExprCall(expr) = module.nodes.get(call) else {
                unreachable!("a call is no call: {text}");
            };
            let judgement = judge(expr, factory.factory, &names);
            let class = ClassTraits::new(factory.factory, &judgement);
            let alone = Tracker::follow((&module, &facts), &class, call, &[]).fate;
            let together = Tracker::fate((&module, &facts), &class, call, &[]);
            let source = module.slice(module.nodes.range(call));
            assert_eq!(together, alone, "{source} of\n{text}");
        }
    };
    read(text, compare).unwrap();
}

#[test]
fn classes_at_one_place_are_told_as_each_alone() {
    for (at, first) in USES.iter().enumerate() {
        for (by, second) in USES.iter().enumerate() {
            let third = USES[(at * 7 + by * 11) % USES.len()];
            check(&module([first, second, third]));
        }
    }
}
