"""The tangent kernel of an erf network between all classes, through the Gram matrices of its layers."""

import numpy as np
from scipy.special import erf

from numerics.doors import positive_integer
from numerics.samples import Floats


def class_blocks(weights: list[Floats], x: Floats) -> Floats:
    r"""Tangent kernel of z = h_L W_O / sqrt(n), h_l = erf(h_(l-1) W_l / sqrt(fan_in)), between points and classes.

    Formula: :math:`\Theta_{ij}(x,x') = \delta_{ij}\,h_L\cdot h_L'/n + \sum_l (h_{l-1}\cdot h_{l-1}'/f_l)\,
    (b_{l,i}\cdot b_{l,j}')` with the slopes b of a logit in the pre-activations of each layer, from the chain rule.

    Parameters
    ----------
    weights
        W_1 .. W_L and W_O, each fan_in x fan_out, entries of order one.
    x
        Inputs, one row a point.

    Returns
    -------
    array of shape (points, points, classes, classes)

    Raises
    ------
    ValueError
        If there is no hidden layer.

    Examples
    --------
    One hidden unit without input: h = 0 and erf' = 2/sqrt(pi), but nothing reaches its weight.

    >>> class_blocks([np.ones((1, 1)), np.ones((1, 2))], np.zeros((1, 1))).tolist()
    [[[[0.0, 0.0], [0.0, 0.0]]]]
    """
    *body, readout = weights
    positive_integer("class_blocks", "layers", len(body))
    inputs, slopes = [x], []
    for matrix in body:
        before = inputs[-1] @ matrix / np.sqrt(len(matrix))
        slopes.append(2 / np.sqrt(np.pi) * np.exp(-(before**2)))
        inputs.append(erf(before))
    classes = readout.shape[1]
    kernel = np.eye(classes) * (inputs[-1] @ inputs[-1].T / len(readout))[:, :, None, None]
    back = readout.T[None] / np.sqrt(len(readout))
    for layer in reversed(range(len(body))):
        back = back * slopes[layer][:, None, :]
        gram = inputs[layer] @ inputs[layer].T / len(body[layer])
        flat = back.reshape(-1, back.shape[-1])
        between = (flat @ flat.T).reshape(len(x), classes, len(x), classes).transpose(0, 2, 1, 3)
        kernel = kernel + gram[:, :, None, None] * between
        back = back @ body[layer].T / np.sqrt(len(body[layer]))
    return kernel
