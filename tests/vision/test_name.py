import numpy as np
import pytest

from vision.name import cosines


@pytest.mark.parametrize(("count", "others"), [(1, 1), (32, 64), (33, 65), (70, 200), (0, 5), (5, 0)])
def test_each_vector_is_compared_with_each_other(count, others):
    rng = np.random.default_rng(count)
    one, other = (rng.normal(0, 1, (size, 128)).astype(np.float32) for size in (count, others))
    np.testing.assert_allclose(cosines(one, other), one.astype(float) @ other.astype(float).T, atol=1e-4)
