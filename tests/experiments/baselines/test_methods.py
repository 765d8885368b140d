from dpspin_experiments.baselines import methods


def test_every_name_is_described_once():
    names = {value for name, value in vars(methods).items() if name.isupper() and isinstance(value, str)}
    assert names == set(methods.METHODS)
    assert all(each.how and each.given for each in methods.METHODS.values())
