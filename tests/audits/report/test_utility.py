from dpspin_audits.report import case, utility
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def cells(table):
    return [[plain(cell) for cell in row.cells] for row in table.bodies[0].rows]


def rows(tree):
    return {plain(term): plain(words) for term, words in utility.view(opened(tree)).rows}


def test_statements_have_a_value_rounded_up_a_probability_and_a_kind(evidence):
    shown = cells(utility.statements(opened(evidence())))
    assert shown[0] == [
        "All noisy masses lie within this of the exact sums.", "6.88", "≥ 95\u00a0%", "exact tail of the noise",
    ]  # fmt: skip
    assert shown[2][1:] == ["137.52", "–", "upper bound"]


def test_mechanisms_stand_side_by_side_with_the_least_bounds_named(evidence):
    tree = evidence()
    tree["utility"]["best"]["values"] = "gaussian"
    shown = cells(utility.mechanisms(opened(tree)))
    assert shown[0][1:] == ["≤ 13.76", "≤ 6.88", "this deployment, least selection error"]
    assert shown[1][3] == "least error of masses"
    assert shown[2][0].startswith("private_top_l: admission by")


def test_a_variant_of_a_mechanism_is_told_from_it(evidence):
    tree = evidence("top-l")
    assert cells(utility.mechanisms(opened(tree)))[2][3] == "this deployment"
    tree["utility"]["comparison"][2]["mechanism"] = "private_top_l, laplace values"
    shown = cells(utility.mechanisms(opened(tree)))[2]
    assert shown[0].startswith("private_top_l (laplace values): admission")
    assert shown[3] == "this deployment"
    tree["utility"]["comparison"][2]["mechanism"] = "private_top_l, gaussian values"
    assert cells(utility.mechanisms(opened(tree)))[2][3] == ""


def test_the_better_mechanism_is_named_for_each_purpose(evidence):
    tree = evidence()
    assert plain(utility.view(opened(tree)).advice).startswith(
        "For this deployment laplace has the best bound for both"
    )
    tree["utility"]["best"]["values"] = "gaussian"
    advice = plain(utility.view(opened(tree)).advice)
    assert "laplace has the best bound for which themes are released, gaussian for their masses" in advice
    assert "The deployment uses laplace." in advice


def test_an_assumed_delta_is_said(evidence):
    tree = evidence()
    assert "A δ of 10−6 was assumed" in plain(utility.view(opened(tree)).advice)
    assert "an assumed δ\u00a0=\u00a010−6" in plain(utility.mechanisms(opened(tree)).caption)
    tree = evidence("gaussian-user")
    assert "assumed" not in plain(utility.view(opened(tree)).advice)
    assert "at ε\u00a0=\u00a01 and, where one is needed, δ\u00a0=\u00a010−6. Each" in plain(
        utility.mechanisms(opened(tree)).caption
    )


def test_without_bounds_only_the_reading_of_masses_is_left(evidence):
    found = opened(evidence() | {"utility": None, "plan": None})
    assert utility.view(found).advice == ()
    assert len(utility.view(found).rows) == 4
    assert utility.statements(found) is utility.mechanisms(found) is None


def test_what_the_noise_may_have_made_is_counted(evidence):
    shown = rows(evidence("fail"))
    assert shown["Below the floor"].startswith("one of ten")
    assert shown["Positive part"] == "supports are cut at 0, which biases small ones upwards; this touched one of ten"
    assert rows(evidence())["Positive part"].endswith("none of ten")


def test_only_a_margin_of_twice_the_floor_keeps_the_order_of_exact_masses(evidence):
    tree = evidence()
    assert "hold for the exact masses, with probability at least 95\u00a0%" in rows(tree)["Margin"]
    tree["deployment"]["margin"] = "13.75"
    assert "hold for the exact" not in rows(tree)["Margin"]


def test_masses_are_biased_by_selection_where_their_noise_selected_them(evidence):
    assert "biased upwards" in rows(evidence())["Selection"]
    assert "without bias" in rows(evidence("top-l"))["Selection"]


def test_bounding_is_of_records_and_of_users(evidence):
    assert "add up to a mass above 2" in rows(evidence("gaussian-user"))["Bounding"]
    assert "add up" not in rows(evidence())["Bounding"]
